import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

describe('call permits', () => {
  const { signal } = new AbortController();

  it('are given in order, each as one is released', async () => {
    const permits = createConcurrencyLimit(1, 10);
    const release = await permits(signal);
    const order: string[] = [];
    const second = permits(signal).then((free) => {
      order.push('second');
      free();
    });
    const third = permits(signal).then(() => order.push('third'));
    release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('are rejected when the wait is aborted, which leaves the permit to the next', async () => {
    const permits = createConcurrencyLimit(1, 10);
    const release = await permits(signal);
    const aborted = new AbortController();
    const given = permits(aborted.signal);
    const next = permits(signal);
    aborted.abort();
    await expect(given).rejects.toBe(aborted.signal.reason);
    release();
    await next;
  });

  it('are rejected at once when too many wait', async () => {
    const permits = createConcurrencyLimit(1, 1);
    await permits(signal);
    void permits(signal);
    await expect(permits(signal)).rejects.toThrow('too many calls wait');
  });
});
