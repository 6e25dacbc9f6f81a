import { describe, expect, it } from 'vitest';
import { ConcurrencyLimitExceeded, createConcurrencyLimit } from './concurrency-limit.ts';

describe('call permits', () => {
  const { signal } = new AbortController();

  it('are given in order, each as one is released', async () => {
    const permits = createConcurrencyLimit(1, 10);
    const release = await permits.take(signal);
    const order: string[] = [];
    const second = permits.take(signal).then((free) => {
      order.push('second');
      free();
    });
    const third = permits.take(signal).then(() => order.push('third'));
    release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('are rejected when the wait is aborted, which leaves the permit to the next', async () => {
    const permits = createConcurrencyLimit(1, 10);
    const release = await permits.take(signal);
    const aborted = new AbortController();
    const given = permits.take(aborted.signal);
    const next = permits.take(signal);
    aborted.abort();
    await expect(given).rejects.toBeInstanceOf(ConcurrencyLimitExceeded);
    release();
    await next;
  });

  it('are rejected at once when too many wait', async () => {
    const permits = createConcurrencyLimit(1, 1);
    await permits.take(signal);
    void permits.take(signal);
    await expect(permits.take(signal)).rejects.toBeInstanceOf(ConcurrencyLimitExceeded);
  });
});
