import { expect, it } from 'vitest';
import { warmResponseCache } from './cache-warming.ts';

const targets = Array.from({ length: 20 }, (_, i) => `/page-${i}`);

it('renders every page in order, at most four at once, even if one fails', async () => {
  const rendered: string[] = [];
  let running = 0;
  let maxRunning = 0;
  await warmResponseCache(
    targets,
    async (target) => {
      rendered.push(target);
      maxRunning = Math.max(maxRunning, ++running);
      await Promise.resolve();
      running--;
      if (target === '/page-3') throw new Error('the upstream is down');
    },
    new AbortController().signal,
  );
  expect(rendered).toEqual(targets);
  expect(maxRunning).toBe(4);
});

it('renders no more once the server stops', async () => {
  const stop = new AbortController();
  const rendered: string[] = [];
  await warmResponseCache(
    targets,
    async (target) => {
      rendered.push(target);
      stop.abort();
    },
    stop.signal,
  );
  expect(rendered.length).toBeLessThanOrEqual(4);
});
