import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoadMonitor, type LoadMonitor } from './load-shedding.ts';

const SAMPLE_MS = 1_000;
const BEFORE_READY = Number.NEGATIVE_INFINITY;

let app: FastifyInstance;
let readyForMs: number;
let queueLength: number;
let loadMonitor: LoadMonitor;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  app = Fastify();
  readyForMs = BEFORE_READY;
  queueLength = 0;
  loadMonitor = createLoadMonitor({
    renderer: { queueLength: () => queueLength },
    readiness: { readyForMs: () => readyForMs },
  });
  await app.register(loadMonitor.plugin);
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

/** Takes samples until `expectation` holds. */
const sampledUntil = (expectation: () => void, work: () => unknown = () => undefined) =>
  vi.waitFor(
    async () => {
      await work();
      vi.advanceTimersByTime(SAMPLE_MS);
      expectation();
    },
    { timeout: 60_000, interval: 50 },
  );

/** Blocks for longer than the mean delay of a sample may be, and lets the loop turn, so that it is measured. */
async function blockLoop(): Promise<void> {
  const until = performance.now() + 600;
  while (performance.now() < until);
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
}

describe('overload', () => {
  it('is due to event-loop delay in samples that began after the server was ready', async () => {
    readyForMs = 60_000;
    await sampledUntil(() => expect(loadMonitor.isOverloaded()).toBe(true), blockLoop);
    readyForMs = BEFORE_READY;
    expect(loadMonitor.isOverloaded()).toBe(false);
    // A sample that ends within one sample of readiness may have begun before it, and so have measured the start.
    readyForMs = 2 * SAMPLE_MS;
    expect(loadMonitor.isOverloaded()).toBe(false);
  });

  it('is due to a long render queue at any time', () => {
    queueLength = 200;
    expect(loadMonitor.isOverloaded()).toBe(true);
  });
});
