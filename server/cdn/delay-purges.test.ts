import { expect, it } from 'vitest';
import { delayPurges } from './delay-purges.ts';

function start() {
  const queued: string[] = [];
  const timers: { ms: number; work: () => void }[] = [];
  const purges = delayPurges(
    {
      purgeTags: (tags) => void queued.push(...tags),
      purgeAll: () => void queued.push('all'),
      size: () => queued.length,
      close: async () => void queued.push('closed'),
    },
    (work, ms) => {
      const timer = { ms, work };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  );
  return { purges, queued, timers };
}

it('a purge is queued a tenth of a second later than it was asked for, and counts until then', () => {
  const { purges, queued, timers } = start();
  purges.purgeTags(['post:1', 'home'], false);
  purges.purgeAll();
  expect([purges.size(), queued]).toEqual([3, []]);
  expect(timers.map(({ ms }) => ms)).toEqual([100, 100]);
  for (const { work } of timers) work();
  expect([purges.size(), queued]).toEqual([3, ['post:1', 'home', 'all']]);
});

it('what is delayed at a stop is queued before the queue is closed, once', async () => {
  const { purges, queued, timers } = start();
  purges.purgeTags(['post:1'], false);
  await purges.close(1_000);
  expect(queued).toEqual(['post:1', 'closed']);
  expect(timers).toEqual([]);
});
