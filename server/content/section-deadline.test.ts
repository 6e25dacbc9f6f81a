import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadline } from './section-deadline.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const NEVER = new Promise<never>(() => undefined);
const comesAfter = <T>(ms: number, value: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));

/** Returns how long an optional section is waited for that never comes, in milliseconds. */
async function waited(deadline: ReturnType<typeof createDeadline>): Promise<number> {
  const began = performance.now();
  let ended = Number.NaN;
  void deadline.optional(NEVER).catch(() => {
    ended = performance.now() - began;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  return ended;
}

describe('an optional section is waited for', () => {
  it('until it is there or has failed', async () => {
    const { optional } = createDeadline(3_000);
    const value = optional(comesAfter(900, 'here'));
    await vi.advanceTimersByTimeAsync(900);
    expect(await value).toBe('here');
    const failure = new Error('down');
    await expect(optional(Promise.reject(failure))).rejects.toBe(failure);
  });

  it('for a second where the page has no primary resource', async () => {
    expect(await waited(createDeadline(3_000))).toBe(1_000);
  });

  it('for a second after the primary resource, also where that fails or is asked for later', async () => {
    for (const isFailing of [false, true]) {
      const deadline = createDeadline(3_000);
      const primary = async () => {
        await comesAfter(700, 'here');
        if (isFailing) throw new Error('down');
      };
      void Promise.resolve().then(() => deadline.primary(primary()));
      expect(await waited(deadline)).toBe(1_700);
    }
  });

  it('never for longer than the bound of the response', async () => {
    const deadline = createDeadline(3_000);
    void deadline.primary(comesAfter(2_500, 'here'));
    expect(await waited(deadline)).toBe(3_000);
    const hanging = createDeadline(3_000);
    void hanging.primary(NEVER);
    expect(await waited(hanging)).toBe(3_000);
  });

  it('a little longer where the process was busy: what has arrived meanwhile is taken', async () => {
    vi.useRealTimers();
    // As a response is that is read and then decompressed: each comes after the timers of its turn of the event loop.
    const value = new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'here')));
    const section = createDeadline(3_000, 20).optional(value);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    expect(await section).toBe('here');
  });

  it('not at all after that, though a value that is there is taken', async () => {
    const deadline = createDeadline(0);
    expect(await waited(deadline)).toBe(0);
    const cached = deadline.optional(Promise.resolve('cached'));
    await vi.advanceTimersByTimeAsync(0);
    expect(await cached).toBe('cached');
  });
});
