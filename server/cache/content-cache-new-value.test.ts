import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { Absent } from './cache-query.ts';
import { type ContentCache, createContentCache } from './content-cache.ts';
import { DependencyTracker } from './dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from './policies.ts';

let clock: FakeClock;
let cache: ContentCache;
let reported: string[];
/** The upstream's response. */
let upstream: () => Promise<unknown>;

/** Reads, and waits for what the read started in the background. */
async function read(): Promise<void> {
  const query = {
    resource: 'topic' as const,
    key: 'topic/news',
    tags: () => ['post:1'],
    load: () => upstream(),
  };
  await cache.read(query, new DependencyTracker()).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  clock = fakeClock({ monotonic: 5_000 });
  reported = [];
  upstream = async () => 'one';
  const policies = { ...DEFAULT_POLICIES, topic: { ttl: 10, swr: 20, sie: 30 } };
  cache = createContentCache({ policies, maxBytes: 1_000_000, clock, random: () => 0.5 });
  cache.onNewValue(({ key }) => reported.push(key));
  await read();
});

it('the first value of a key is not reported', () => {
  expect(reported).toEqual([]);
});

describe.each<[string, () => void]>([
  [
    'the ttl',
    () => {
      clock.monotonicMs += 11_000;
    },
  ],
  ['a soft purge', () => cache.purge({ tags: ['post:1'], soft: true })],
  ['a purge', () => cache.purge({ tags: ['post:1'] })],
  ['a purge of everything', () => cache.purge({ all: true })],
])('after %s', (_, becomeStale) => {
  beforeEach(() => {
    becomeStale();
  });

  it('nothing is reported before the next load', () => {
    expect(reported).toEqual([]);
  });

  it('another value is reported once', async () => {
    upstream = async () => 'two';
    await read();
    await read();
    expect(reported).toEqual(['topic/news']);
  });

  it('the same value is not reported', async () => {
    await read();
    expect(reported).toEqual([]);
  });

  it('a failure is not reported, and the value after it is compared all the same', async () => {
    upstream = () => Promise.reject(new Error('down'));
    await read();
    expect(reported).toEqual([]);
    clock.monotonicMs += 2_000;
    upstream = async () => 'two';
    await read();
    expect(reported).toEqual(['topic/news']);
  });

  it('a key that is absent upstream now is reported, once that is confirmed', async () => {
    upstream = () => Promise.reject(new Absent());
    await read();
    clock.monotonicMs += 1_000;
    await read();
    expect(reported).toEqual(['topic/news']);
  });
});
