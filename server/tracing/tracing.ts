import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import { routeOf } from '#server/http/response-observer.ts';
import type { PageTable } from '#server/render/page-table.ts';
import type { Clock } from '#server/time.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span that has begun. */
export interface Span {
  setAttributes(attributes: SpanAttributes): void;
}

export interface ChildOptions {
  /** `client` for a call of another server. Default: `internal`. */
  kind?: 'internal' | 'client';
  attributes?: SpanAttributes;
  /** Traceparent of a span of another request that this one waits for. */
  linkedTo?: string | null;
}

/** What names a span in a log line. */
export interface TraceFields {
  trace_id: string;
  span_id: string;
}

/** The span of a request. */
export interface RequestSpan {
  /** Null where it is not sampled. */
  fields: TraceFields | null;
  /** Makes it the current span of `work`, and of what that awaits. */
  run(work: () => void): void;
  /** `hitEndedAt`: when the front cache had sent its response, in monotonic milliseconds; default: not from there. */
  end(route: string | undefined, status: number, hitEndedAt?: number): void;
}

/**
 * Distributed traces (OpenTelemetry, W3C Trace Context). A span is current for what its work awaits (`AsyncLocalStorage`).
 * Where it is not sampled all of this does nothing, except that `headers` says so to the upstream.
 */
export interface Tracing {
  /** `startTime`: in monotonic milliseconds; default: now. */
  startRequest(request: IncomingMessage, startTime?: number): RequestSpan;
  /** Returns the span that `startRequest` began for a request; undefined where there is none. */
  spanOf(request: IncomingMessage): RequestSpan | undefined;
  /** Runs `work` in a child of the current span; without one, only runs it. A rejection becomes the span's error. */
  child<T>(name: string, options: ChildOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs `work` in a span of the trace of a request that has caused it and does not wait for it; of its own without one. */
  later<T>(name: string, traceparent: string | null, work: () => Promise<T>): Promise<T>;
  /** Runs `work` outside of the current span: for what a request starts and others need. */
  outside(work: () => void): void;
  /** Records children of the current span that followed each other, the last of which ends now. `ms`: their durations. */
  record(steps: readonly { name: string; ms: number }[]): void;
  /** Returns the `traceparent` of the current span where it is sampled, for what comes later. */
  current(): string | null;
  /** Returns the headers that continue the trace in the upstream. */
  headers(): Readonly<Record<string, string>>;
  /** Returns the fields that each log line of a request carries; null where there are none. */
  logFields: (() => object) | null;
  /** Has the logger say that spans cannot be sent, once a minute at most. It needs `logFields` first. */
  reportTo(logger: Pick<Logger, 'warn'>, clock: Clock): void;
  /** Sends what is left, for at most so long. */
  close(graceMs: number): Promise<void>;
}

const NO_SPAN: Span = { setAttributes: () => undefined };
const NO_REQUEST_SPAN: RequestSpan = { fields: null, run: (work) => work(), end: () => undefined };
const NO_HEADERS = {};

/** Does nothing but the work. */
export const NO_TRACING: Tracing = {
  startRequest: () => NO_REQUEST_SPAN,
  spanOf: () => undefined,
  child: (_name, _options, work) => work(NO_SPAN),
  later: (_name, _traceparent, work) => work(),
  outside: (work) => work(),
  record: () => undefined,
  current: () => null,
  headers: () => NO_HEADERS,
  logFields: null,
  reportTo: () => undefined,
  close: async () => undefined,
};

/** Makes the tracing that is configured. OpenTelemetry is imported here, because most sites do not need it. */
export async function openTracing({ endpoint, ...options }: Config['tracing']): Promise<Tracing> {
  if (endpoint === null || options.isDisabled) return NO_TRACING;
  const { createOpenTelemetryTracing } = await import('./opentelemetry-tracing.ts');
  return createOpenTelemetryTracing(endpoint, options);
}

export interface RequestSpansOptions {
  tracing: Pick<Tracing, 'startRequest' | 'spanOf'>;
  pageTable: Pick<PageTable, 'templateOf'>;
}

/** A span for each request that Fastify routes; the front cache records those of its own. */
export const requestSpans = fp(
  async (app: FastifyInstance, { tracing, pageTable }: RequestSpansOptions): Promise<void> => {
    if (tracing === NO_TRACING) return;
    app.addHook('onRequest', (request, reply, done) => {
      const span = tracing.startRequest(request.raw);
      // Not `onResponse`, which does not come where the client disconnects.
      reply.raw.once('close', () => span.end(routeOf(request, pageTable), reply.raw.statusCode));
      span.run(done);
    });
    // Reading a body leaves the context of the hook before.
    app.addHook('preValidation', (request, _reply, done) => {
      const span = tracing.spanOf(request.raw);
      if (span) span.run(done);
      else done();
    });
  },
  { name: 'request-spans' },
);
