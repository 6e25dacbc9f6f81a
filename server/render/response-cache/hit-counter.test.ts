import { expect, it } from 'vitest';
import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import { type CountedResponse, createHitCounter } from './hit-counter.ts';

function page(key: string): CountedResponse {
  return {
    dependencies: [{ resource: 'article', key, version: 1 } satisfies Dependency],
    stale: new Set(),
    hits: 0,
  };
}

function credits() {
  const seen: [string, number, number][] = [];
  const stale: string[] = [];
  const hitCounter = createHitCounter({
    countReads: (dependencies, states, count, at) => {
      seen.push([dependencies[0]?.key ?? '', count, at]);
      stale.push([...states.stale].join());
    },
  });
  return { seen, stale, hitCounter };
}

it('credits the hits of a second together, when the next one begins', () => {
  const { seen, hitCounter } = credits();
  const [one, other] = [page('one'), page('other')];
  hitCounter.count(one, 1_100);
  hitCounter.count(one, 1_200);
  hitCounter.count(other, 1_900);
  expect(seen).toEqual([]);
  hitCounter.count(one, 2_000);
  expect(seen).toEqual([
    ['one', 2, 1_000],
    ['other', 1, 1_000],
  ]);
});

it('credits all hits once, on demand', () => {
  const { seen, hitCounter } = credits();
  hitCounter.count(page('one'), 500);
  hitCounter.credit();
  hitCounter.credit();
  expect(seen).toEqual([['one', 1, 0]]);
});

it('credits one response before its data becomes stale, and its later hits as stale', () => {
  const { seen, stale, hitCounter } = credits();
  const [one, other] = [page('one'), page('other')];
  hitCounter.count(one, 1_100);
  hitCounter.count(other, 1_200);
  hitCounter.creditOne(one);
  hitCounter.creditOne(one);
  one.stale = new Set(['one']);
  hitCounter.count(one, 1_300);
  hitCounter.credit();
  expect(seen).toEqual([
    ['one', 1, 1_000],
    ['one', 1, 1_000],
    ['other', 1, 1_000],
  ]);
  expect(stale).toEqual(['', 'one', '']);
});

it('credits early where many responses have hits, so that no crediting takes long', () => {
  const { seen, hitCounter } = credits();
  for (let i = 0; i < 501; i++) hitCounter.count(page(`page ${i}`), 100);
  expect(seen).toHaveLength(500);
});
