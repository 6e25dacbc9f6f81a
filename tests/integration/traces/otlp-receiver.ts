import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.unknown(),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const Span = z
  .object({
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().optional(),
    name: z.string(),
    kind: z.number(),
    startTimeUnixNano: z.coerce.bigint(),
    endTimeUnixNano: z.coerce.bigint(),
    attributes: Attributes,
    links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
    status: z.object({ code: z.number().optional() }),
  })
  .transform(({ startTimeUnixNano: start, endTimeUnixNano: end, ...span }) => ({
    ...span,
    /** Epoch milliseconds. */
    startedAt: Number(start / 1_000n) / 1_000,
    durationMs: Number(end - start) / 1e6,
  }));
export type ReceivedSpan = z.infer<typeof Span>;

/** The body of an OTLP/HTTP export of traces, as JSON. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** An OTLP/HTTP receiver of traces on loopback. */
export interface OtlpReceiver {
  endpoint: string;
  spans: ReceivedSpan[];
  /** Resource attributes and request headers of the exports. */
  resources: Record<string, unknown>[];
  headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

/** Starts a receiver. `respond`: what it does with each export; by default it takes it. */
export async function startOtlpReceiver(
  respond: (response: ServerResponse) => void = (response) => void response.end('{}'),
): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    headers.push(request.headers);
    for (const { resource, scopeSpans } of Export.parse(await json(request)).resourceSpans) {
      resources.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    resources,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
