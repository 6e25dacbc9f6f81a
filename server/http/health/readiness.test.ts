import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadiness } from './readiness.ts';

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

function readinessOf(warmUp: (signal: AbortSignal) => Promise<void>, maxWarmUpMs = 60_000) {
  return createReadiness({ warmUp, clock: () => now, logger, maxWarmUpMs });
}

describe('readiness', () => {
  it('is ready when the warm-up is done, which runs once', async () => {
    const gate = Promise.withResolvers<void>();
    const warmUp = vi.fn(() => gate.promise);
    const readiness = readinessOf(warmUp);
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
    expect(warmUp).toHaveBeenCalledOnce();
    expect(logged).toEqual(['info ready']);
  });

  it.each([
    ['fails', async () => Promise.reject(new Error('no such template')), 'warn the warm-up failed'],
    ['never ends', () => new Promise<void>(() => undefined), 'warn the warm-up timed out'],
  ])('is ready as well where the warm-up %s', async (_what, warmUp, line) => {
    const readiness = readinessOf(warmUp, 20);
    await readiness.start();
    expect(readiness.state()).toBe('ready');
    expect(logged).toEqual([`${line}: ready without it`, 'info ready']);
  });

  it('is never ready on a server that stops, and aborts the warm-up', async () => {
    const readiness = readinessOf(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const started = readiness.start();
    readiness.stop();
    await started;
    expect(readiness.state()).toBe('stopping');
    expect(logged).toEqual([]);
  });
});
