import { describe, expect, it } from 'vitest';
import { createConcurrencyLimit, Full } from './concurrency-limit.ts';

describe('call slots', () => {
  const patient = new AbortController().signal;

  it('are given in order, each as one is released', async () => {
    const slots = createConcurrencyLimit(1, 10);
    const release = await slots.take(patient);
    const order: string[] = [];
    const second = slots.take(patient).then((free) => {
      order.push('second');
      free();
    });
    const third = slots.take(patient).then(() => order.push('third'));
    release();
    release();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
  });

  it('are refused when the wait ends, which leaves the slot to the next', async () => {
    const slots = createConcurrencyLimit(1, 10);
    const release = await slots.take(patient);
    const impatient = new AbortController();
    const given = slots.take(impatient.signal);
    const next = slots.take(patient);
    impatient.abort();
    await expect(given).rejects.toBeInstanceOf(Full);
    release();
    await next;
  });

  it('are refused at once when too many wait', async () => {
    const slots = createConcurrencyLimit(1, 1);
    await slots.take(patient);
    void slots.take(patient);
    await expect(slots.take(patient)).rejects.toBeInstanceOf(Full);
  });
});
