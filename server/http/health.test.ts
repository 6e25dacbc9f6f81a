import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import type { LiveMode } from '#shared/models/metrics.ts';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { createReadiness, healthRoutes, type ReadinessState } from './health.ts';

let state: ReadinessState;
const app = Fastify();
const NORMAL: LiveMode = { mode: 'normal', ttlFactor: 1, endsInSeconds: null };
let modeInForce = NORMAL;
app.register(healthRoutes, {
  readiness: { state: () => state, start: () => undefined },
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

it.each<[LiveMode, object]>([
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

describe('readiness', () => {
  const clock = fakeClock({ monotonic: 1_000 });
  const logged: object[] = [];
  const logger = { info: (fields: object) => void logged.push(fields) };

  it('begins once, and tells the milliseconds since the process started', () => {
    const readiness = createReadiness({ clock, logger });
    expect(readiness.state()).toBe('starting');
    expect(readiness.readyForMs()).toBe(Number.NEGATIVE_INFINITY);
    readiness.start();
    clock.monotonicMs += 20;
    readiness.start();
    expect(readiness.state()).toBe('ready');
    expect(readiness.readyForMs()).toBe(20);
    expect(logged).toEqual([{ ms: 1_000 }]);
  });

  it('does not begin on a server that stops', () => {
    const readiness = createReadiness({ clock, logger });
    readiness.stop();
    readiness.start();
    expect(readiness.state()).toBe('stopping');
  });
});
