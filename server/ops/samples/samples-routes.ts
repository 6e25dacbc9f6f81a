import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpsAuth } from '#server/ops/ops-auth.ts';
import { parseRequest, problems, sendOpsProblem } from '#server/ops/ops-responses.ts';
import { problem } from '#server/problem-details.ts';
import { MetricsHistoryQuery, MetricsHistoryResponse } from '#shared/models/ops/ops-schemas.ts';
import type { Samples } from './samples.ts';

/** Each samples the registry once a second. */
const MAX_STREAMS = 8;
/** Of one token, and of one token at one address: no reader occupies them all. */
const MAX_STREAMS_OF_TOKEN = 6;
const MAX_STREAMS_OF_CLIENT = 3;
/** What may be buffered for a client that reads too slowly; beyond it the stream is cut, and the client reconnects. */
const MAX_BACKLOG_BYTES = 1_000_000;
/** How soon a client reconnects. */
const RETRY_MS = 2_000;

export interface SamplesRoutesOptions {
  samples: Samples;
  auth: Pick<OpsAuth, 'tokenName'>;
}

/** Serves the newest sample each second as server-sent events, and the samples of up to a day. */
export async function samplesRoutes(
  app: FastifyInstance,
  { samples, auth }: SamplesRoutesOptions,
): Promise<void> {
  const streams = new Map<Readable, { token: string; ip: string }>();
  let closing = false;

  app.addHook('preClose', async () => {
    closing = true;
    for (const stream of streams.keys()) stream.push(null);
    await samples.close();
  });

  function open(client: { token: string; ip: string }): Readable {
    const stream = new Readable({ read: () => undefined });
    stream.push(`retry: ${RETRY_MS}\n\n`);
    streams.set(stream, client);
    const leave = samples.listen((sample) => {
      if (stream.readableLength > MAX_BACKLOG_BYTES) stream.destroy();
      else stream.push(`event: sample\ndata: ${JSON.stringify(sample)}\n\n`);
    });
    stream.once('close', () => {
      streams.delete(stream);
      leave();
    });
    return stream;
  }

  /** Returns why a client gets no stream; null where it gets one. */
  function refusalOf({ token, ip }: { token: string; ip: string }): string | null {
    if (closing) return 'The listener is closing.';
    const ofToken = [...streams.values()].filter((one) => one.token === token);
    const ofClient = ofToken.filter((one) => one.ip === ip);
    if (streams.size >= MAX_STREAMS) return `${MAX_STREAMS} streams are open already.`;
    if (ofToken.length >= MAX_STREAMS_OF_TOKEN)
      return `This token has ${MAX_STREAMS_OF_TOKEN} streams already.`;
    if (ofClient.length >= MAX_STREAMS_OF_CLIENT)
      return `This token has ${MAX_STREAMS_OF_CLIENT} streams at this address already.`;
    return null;
  }

  const clientOf = (request: FastifyRequest) => ({ token: auth.tokenName(request), ip: request.ip });

  app.get(
    '/live',
    { schema: { summary: 'Server-sent events: the newest sample of the metrics each second' } },
    async (request, reply) => {
      const client = clientOf(request);
      const refusal = refusalOf(client);
      if (refusal !== null) {
        reply.header('retry-after', '10');
        return sendOpsProblem(reply, problem(503, refusal));
      }
      // A connection that outlives its stream would hold up the shutdown.
      reply.header('connection', 'close');
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(open(client));
    },
  );

  app.get(
    '/metrics-history',
    {
      schema: {
        summary: 'Samples of the metrics: every ten seconds for an hour, every minute for a day',
        querystring: MetricsHistoryQuery,
        response: { 200: MetricsHistoryResponse, ...problems },
      },
    },
    async (request) => samples.history(parseRequest(MetricsHistoryQuery, request.query).minutes),
  );
}
