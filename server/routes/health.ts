import type { FastifyInstance } from 'fastify';

/** Whether the server wants traffic: it stops wanting it before it stops. */
export interface Readiness {
  isReady(): boolean;
}

/** `/healthz`: the process lives. `/readyz`: it can serve what it has; it does not wait for the upstream. */
export function healthRoutes(app: FastifyInstance, { readiness }: { readiness: Readiness }): void {
  const options = { config: { rateLimit: false } } as const;

  app.get('/healthz', options, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/readyz', options, async (_request, reply) => {
    const ready = readiness.isReady();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'stopping' });
  });
}
