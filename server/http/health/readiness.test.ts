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
