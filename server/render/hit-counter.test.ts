import { expect, it } from 'vitest';
import type { Dependency } from '#server/cache/dependency-tracker.ts';
import { createHitCounter, type ReadResponse } from './hit-counter.ts';

function page(key: string): ReadResponse {
  return {
    dependencies: [{ resource: 'article', key, version: 1 } satisfies Dependency],
    stale: new Set(),
    readers: 0,
  };
}

function credits() {
  const seen: [string, number, number][] = [];
  const stale: string[] = [];
  const readers = createHitCounter({
    countReads: (dependencies, states, count, at) => {
      seen.push([dependencies[0]?.key ?? '', count, at]);
      stale.push([...states.stale].join());
    },
  });
  return { seen, stale, readers };
}

it('credits the readers of a second together, when the next one begins', () => {
  const { seen, readers } = credits();
  const [one, other] = [page('one'), page('other')];
  readers.count(one, 1_100);
  readers.count(one, 1_200);
  readers.count(other, 1_900);
  expect(seen).toEqual([]);
  readers.count(one, 2_000);
  expect(seen).toEqual([
    ['one', 2, 1_000],
    ['other', 1, 1_000],
  ]);
});

it('credits what it has when somebody looks, once', () => {
  const { seen, readers } = credits();
  readers.count(page('one'), 500);
  readers.credit();
  readers.credit();
  expect(seen).toEqual([['one', 1, 0]]);
});

it('credits one page by itself before its data becomes stale, and its later readers for what they find', () => {
  const { seen, stale, readers } = credits();
  const [one, other] = [page('one'), page('other')];
  readers.count(one, 1_100);
  readers.count(other, 1_200);
  readers.creditOne(one);
  readers.creditOne(one);
  one.stale = new Set(['one']);
  readers.count(one, 1_300);
  readers.credit();
  expect(seen).toEqual([
    ['one', 1, 1_000],
    ['one', 1, 1_000],
    ['other', 1, 1_000],
  ]);
  expect(stale).toEqual(['', 'one', '']);
});

it('credits early where many pages are read, so that nobody waits for a long reckoning', () => {
  const { seen, readers } = credits();
  for (let i = 0; i < 501; i++) readers.count(page(`page ${i}`), 100);
  expect(seen).toHaveLength(500);
});
