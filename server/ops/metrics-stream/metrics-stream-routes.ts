import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sendOpsProblem } from '#server/ops/ops-responses.ts';
import { problem } from '#server/problem-details.ts';
import type { MetricsStream } from './metrics-stream.ts';

/** Each samples the whole cache once a second. */
const MAX_STREAMS = 8;
/** What may be buffered for a client that reads too slowly; beyond it the stream is cut, and the client reconnects. */
const MAX_BACKLOG_BYTES = 1_000_000;
const HISTORY_MINUTES = 30;
/** How soon a client reconnects. */
const RETRY_MS = 2_000;

/** Serves the metrics stream as server-sent events: `history` once, then `metrics` each second. Streams end when the listener closes. */
export async function metricsStreamRoutes(
  app: FastifyInstance,
  { metricsStream }: { metricsStream: MetricsStream },
): Promise<void> {
  const streams = new Set<Readable>();
  let closing = false;

  app.addHook('preClose', async () => {
    closing = true;
    metricsStream.close();
    for (const stream of streams) stream.push(null);
  });

  function open(): Readable {
    const stream = new Readable({ read: () => undefined });
    const send = (event: string, data: unknown) => {
      if (stream.readableLength > MAX_BACKLOG_BYTES) stream.destroy();
      else stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    stream.push(`retry: ${RETRY_MS}\n\n`);
    streams.add(stream);
    send('history', metricsStream.history.points(HISTORY_MINUTES));
    const leave = metricsStream.listen((metrics) => send('metrics', metrics));
    stream.once('close', () => {
      streams.delete(stream);
      leave();
    });
    return stream;
  }

  app.get(
    '/live',
    { schema: { summary: 'Server-sent events: half an hour of history, then all metrics each second' } },
    async (_request, reply) => {
      if (closing || streams.size >= MAX_STREAMS) {
        reply.header('retry-after', '10');
        const reason = closing ? 'The listener is closing.' : `${MAX_STREAMS} streams are open already.`;
        return sendOpsProblem(reply, problem(503, reason));
      }
      // A connection that outlives its stream would hold up the shutdown.
      reply.header('connection', 'close');
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(open());
    },
  );
}
