import { expect, it } from 'vitest';
import type { Dependency } from '#server/cache/reading.ts';
import { createPageReaders } from './page-readers.ts';

function page(key: string) {
  return { dependencies: [{ resource: 'article', key, version: 1 } satisfies Dependency], readers: 0 };
}

function credits() {
  const seen: [string, number, number][] = [];
  const readers = createPageReaders({
    credit: (dependencies, count, at) => seen.push([dependencies[0]?.key ?? '', count, at]),
  });
  return { seen, readers };
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

it('credits early where many pages are read, so that nobody waits for a long reckoning', () => {
  const { seen, readers } = credits();
  for (let i = 0; i < 501; i++) readers.count(page(`page ${i}`), 100);
  expect(seen).toHaveLength(500);
});
