import Fastify from 'fastify';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModeInForce } from '#server/cache/cache-mode.ts';
import { createReadiness, healthRoutes, type ReadinessState } from './health.ts';

let state: ReadinessState;
const app = Fastify();
const NORMAL: ModeInForce = { mode: 'normal', ttlFactor: 1, endsInSeconds: null };
let modeInForce = NORMAL;
app.register(healthRoutes, {
  readiness: { state: () => state },
  cache: { mode: { current: () => modeInForce } },
});
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

it.each<[ModeInForce, object]>([
  [{ mode: 'freeze', ttlFactor: 1, endsInSeconds: 60 }, { mode: 'freeze' }],
  [
    { mode: 'normal', ttlFactor: 2, endsInSeconds: 60 },
    { mode: 'normal', ttlFactor: 2 },
  ],
])('readiness names a mode other than the normal one: %j', async (mode, shown) => {
  state = 'ready';
  modeInForce = mode;
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready', ...shown });
  modeInForce = NORMAL;
});

let now: number;
let logged: string[];
const logger = {
  info: (_fields: object, message?: string) => void logged.push(`info ${message}`),
  warn: (_fields: object, message?: string) => void logged.push(`warn ${message}`),
};

beforeEach(() => {
  now = 1_000;
  logged = [];
});

function readinessOf(prepare: () => Promise<void>, maxPrepareMs = 60_000) {
  return createReadiness({ prepare, clock: () => now, logger, maxPrepareMs });
}

describe('readiness', () => {
  it('is ready when the preparation is done, which runs once', async () => {
    const gate = Promise.withResolvers<void>();
    const prepare = vi.fn(() => gate.promise);
    const readiness = readinessOf(prepare);
    expect(readiness.state()).toBe('starting');
    const ready = Promise.all([readiness.start(), readiness.start()]);
    now += 500;
    expect(readiness.state()).toBe('starting');
    expect(readiness.readyForMs()).toBe(Number.NEGATIVE_INFINITY);
    gate.resolve();
    await ready;
    now += 20;
    expect(readiness.state()).toBe('ready');
    expect(readiness.readyForMs()).toBe(20);
    expect(prepare).toHaveBeenCalledOnce();
    expect(logged).toEqual(['info ready']);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('no such folder')), 'warn the preparation failed'],
    ['never ends', () => new Promise<void>(() => undefined), 'warn the preparation timed out'],
  ])('is ready as well where the preparation %s', async (_what, prepare, line) => {
    const readiness = readinessOf(prepare, 20);
    await readiness.start();
    expect(readiness.state()).toBe('ready');
    expect(logged).toEqual([`${line}: ready without it`, 'info ready']);
  });

  it('is never ready on a server that stops, and waits no longer', async () => {
    const readiness = readinessOf(() => new Promise(() => undefined));
    const started = readiness.start();
    readiness.stop();
    await started;
    expect(readiness.state()).toBe('stopping');
    expect(logged).toEqual([]);
  });
});
