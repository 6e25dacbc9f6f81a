import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { parseRequest } from '#server/http/route-schemas.ts';
import type { OpsAuth } from '#server/ops/ops-auth.ts';
import { documented } from '#server/ops/ops-responses.ts';
import { problem, sendProblem } from '#server/problem-details.ts';
import { MetricsHistoryQuery, MetricsHistoryResponse } from '#shared/models/ops/ops-schemas.ts';
import type { Sampler } from './sampler.ts';

/** Of one token, so that no reader occupies them all. */
const MAX_STREAMS = 6;
/** What may be buffered for a client that reads too slowly; beyond it the stream is cut, and the client reconnects. */
const MAX_BACKLOG_BYTES = 1_000_000;
const RETRY_MS = 2_000;

export interface SamplesRoutesOptions {
  samples: Sampler;
  auth: Pick<OpsAuth, 'tokenName'>;
}

/** Serves the newest sample each second as server-sent events, and the samples of up to a day. */
export async function samplesRoutes(
  app: FastifyInstance,
  { samples, auth }: SamplesRoutesOptions,
): Promise<void> {
  /** The name of the token of each. */
  const streams = new Map<Readable, string>();
  let closing = false;

  app.addHook('preClose', async () => {
    closing = true;
    for (const stream of streams.keys()) stream.push(null);
    await samples.close();
  });

  function open(token: string): Readable {
    const stream = new Readable({ read: () => undefined });
    stream.push(`retry: ${RETRY_MS}\n\n`);
    streams.set(stream, token);
    const leave = samples.listen((sample) => {
      // It has ended, and is not closed yet.
      if (closing) return;
      if (stream.readableLength > MAX_BACKLOG_BYTES) stream.destroy();
      else stream.push(`event: sample\ndata: ${JSON.stringify(sample)}\n\n`);
    });
    stream.once('close', () => {
      streams.delete(stream);
      leave();
    });
    return stream;
  }

  app.get(
    '/live',
    documented('Server-sent events: the newest sample of the metrics each second', {}),
    async (request, reply) => {
      const token = auth.tokenName(request);
      const isFull = [...streams.values()].filter((name) => name === token).length >= MAX_STREAMS;
      if (closing || isFull) {
        const refusal = closing ? 'The listener is closing.' : `${MAX_STREAMS} streams are open already.`;
        reply.header('retry-after', '10');
        return sendProblem(reply, problem(503, refusal));
      }
      // A connection that outlives its stream would hold up the shutdown.
      reply.header('connection', 'close');
      // Of a response to HEAD Fastify reads the body to its end, and a stream has none.
      const stream = request.method === 'HEAD' ? Readable.from([]) : open(token);
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream);
    },
  );

  app.get(
    '/metrics-history',
    documented('Samples of the metrics: every ten seconds for an hour, every minute for a day', {
      200: MetricsHistoryResponse,
      querystring: MetricsHistoryQuery,
    }),
    async (request) => samples.history(parseRequest(MetricsHistoryQuery, request.query).minutes),
  );
}
