import { expect, it } from 'vitest';
import { warmResponseCache } from './cache-warming.ts';

const targets = Array.from({ length: 20 }, (_, i) => `/page-${i}`);

it('makes every page in order, at most four at once, whatever becomes of one', async () => {
  const made: string[] = [];
  let running = 0;
  let most = 0;
  await warmResponseCache(
    targets,
    async (target) => {
      made.push(target);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      if (target === '/page-3') throw new Error('the upstream is down');
    },
    new AbortController().signal,
  );
  expect(made).toEqual(targets);
  expect(most).toBe(4);
});

it('makes no more once the server stops', async () => {
  const stop = new AbortController();
  const made: string[] = [];
  await warmResponseCache(
    targets,
    async (target) => {
      made.push(target);
      stop.abort();
    },
    stop.signal,
  );
  expect(made.length).toBeLessThanOrEqual(4);
});
