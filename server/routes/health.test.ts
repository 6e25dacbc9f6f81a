import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import type { ReadinessState } from '#server/http/readiness.ts';
import { healthRoutes } from './health.ts';

let state: ReadinessState;
const app = Fastify();
healthRoutes(app, { readiness: { state: () => state } });
afterAll(() => app.close());

it.each([
  ['starting', 503],
  ['ready', 200],
  ['stopping', 503],
] as const)('a server that is %s is live, and its readiness says so with %i', async (now, status) => {
  state = now;
  const ready = await app.inject('/readyz');
  expect(ready.statusCode).toBe(status);
  expect(ready.json()).toEqual({ status: now });
  expect(ready.headers['cache-control']).toBe('no-store');
  const live = await app.inject('/healthz');
  expect(live.statusCode).toBe(200);
  expect(live.json()).toEqual({ status: 'live' });
});
