import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { problem } from '#server/errors.ts';
import { sendOpsProblem } from '#server/ops/ops-responses.ts';
import type { MetricsStream } from './metrics-stream.ts';

/** Open at once, at most: each looks at the whole cache once a second. */
const LISTENERS = 8;
/** What may wait for a listener who reads too slowly; then the line is cut, and the next one starts afresh. */
const BACKLOG_BYTES = 1_000_000;
/** How soon a listener whose line was cut comes again. */
const RETRY_MS = 2_000;

/** The figures as server-sent events: `history` once, then `figures` each second. Lines end when the listener stops. */
export function liveRoutes(app: FastifyInstance, feed: MetricsStream): void {
  const lines = new Set<Readable>();
  let closing = false;

  app.addHook('preClose', async () => {
    closing = true;
    feed.close();
    for (const line of lines) line.push(null);
  });

  function open(): Readable {
    const line = new Readable({ read: () => undefined });
    const send = (event: string, data: unknown) => {
      if (line.readableLength > BACKLOG_BYTES) line.destroy();
      else line.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    line.push(`retry: ${RETRY_MS}\n\n`);
    lines.add(line);
    const leave = feed.listen({
      history: (points) => send('history', points),
      figures: (figures) => send('figures', figures),
    });
    line.once('close', () => {
      lines.delete(line);
      leave();
    });
    return line;
  }

  app.get(
    '/live',
    { schema: { summary: 'Server-sent events: the history of half an hour, then all figures each second' } },
    async (_request, reply) => {
      if (closing || lines.size >= LISTENERS) {
        reply.header('retry-after', '10');
        const reason = closing ? 'The listener is closing.' : `${LISTENERS} are looking on already.`;
        return sendOpsProblem(reply, problem(503, reason));
      }
      // A line that ends with the listener must leave no connection behind, which would hold up its stop.
      reply.header('connection', 'close');
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(open());
    },
  );
}
