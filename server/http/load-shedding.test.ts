import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchLoad } from './load-shedding.ts';

const SAMPLE_MS = 20;
const BEFORE_READY = Number.NEGATIVE_INFINITY;

let app: FastifyInstance;
let readyForMs: number;
let waiting: number;
let isUnderPressure: () => boolean;

beforeEach(async () => {
  app = Fastify();
  readyForMs = BEFORE_READY;
  waiting = 0;
  isUnderPressure = await watchLoad(app, {
    renderer: { waiting: () => waiting },
    readiness: { readyForMs: () => readyForMs },
    sampleMs: SAMPLE_MS,
  });
});
afterEach(() => app.close());

/** Longer than the mean delay that is too much, in one sample. */
function blockLoop(): void {
  const until = performance.now() + 600;
  while (performance.now() < until);
}

describe('load shedding', () => {
  it('counts what blocks the event loop, in samples that began after the server was ready', async () => {
    await pause(SAMPLE_MS);
    blockLoop();
    readyForMs = 60_000;
    await vi.waitFor(() => expect(isUnderPressure()).toBe(true), { interval: 1 });
    readyForMs = BEFORE_READY;
    expect(isUnderPressure()).toBe(false);
    // The sample that ends a whole one after readiness may have begun before it, and so have measured the start.
    readyForMs = 2 * SAMPLE_MS;
    expect(isUnderPressure()).toBe(false);
  });

  it('counts pages that wait to be rendered at any time', () => {
    waiting = 200;
    expect(isUnderPressure()).toBe(true);
  });
});
