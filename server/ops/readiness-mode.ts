import type { FastifyInstance } from 'fastify';
import type { CacheMode } from '#server/cache/cache-mode.ts';

/** Adds the cache's mode to the response of `/readyz` while it is not normal, so that nobody forgets it. */
export function showModeInReadiness(app: FastifyInstance, mode: CacheMode): void {
  app.addHook('preSerialization', async (request, _reply, payload: unknown) => {
    const { mode: name, ttlFactor, endsInSeconds } = mode.current();
    if (request.routeOptions.url !== '/readyz' || endsInSeconds === null) return payload;
    if (typeof payload !== 'object' || payload === null) return payload;
    return { ...payload, mode: name, ...(ttlFactor !== 1 && { ttlFactor }) };
  });
}
