import type { FastifyInstance } from 'fastify';
import type { Readiness } from '#server/http/readiness.ts';

/** `/healthz`: the process lives. `/readyz`: it serves what it has at full speed; it does not wait for the upstream. */
export function healthRoutes(
  app: FastifyInstance,
  { readiness }: { readiness: Pick<Readiness, 'state'> },
): void {
  const options = { config: { rateLimit: false } } as const;

  app.get('/healthz', options, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/readyz', options, async (_request, reply) => {
    const status = readiness.state();
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status });
  });
}
