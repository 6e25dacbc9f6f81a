import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoadMonitor, type LoadMonitor } from './load-shedding.ts';

const SAMPLE_MS = 20;
const BEFORE_READY = Number.NEGATIVE_INFINITY;

let app: FastifyInstance;
let readyForMs: number;
let queueLength: number;
let loadMonitor: LoadMonitor;

beforeEach(async () => {
  app = Fastify();
  readyForMs = BEFORE_READY;
  queueLength = 0;
  loadMonitor = createLoadMonitor({
    renderer: { queueLength: () => queueLength },
    readiness: { readyForMs: () => readyForMs },
    sampleMs: SAMPLE_MS,
  });
  await app.register(loadMonitor.plugin);
});
afterEach(() => app.close());

/** Blocks for longer than the mean delay of a sample may be. */
function blockLoop(): void {
  const until = performance.now() + 600;
  while (performance.now() < until);
}

it('a process is busy after a sample of work alone, and no longer after a sample of pauses', async () => {
  await pause(SAMPLE_MS);
  blockLoop();
  await vi.waitFor(() => expect(loadMonitor.isBusy()).toBe(true), { timeout: 60_000, interval: 1 });
  await vi.waitFor(() => expect(loadMonitor.isBusy()).toBe(false), { timeout: 60_000, interval: 1 });
});

describe('overload', () => {
  it('is due to event-loop delay in samples that began after the server was ready', async () => {
    await pause(SAMPLE_MS);
    blockLoop();
    readyForMs = 60_000;
    await vi.waitFor(() => expect(loadMonitor.isOverloaded()).toBe(true), {
      timeout: 60_000,
      interval: 1,
    });
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
