import { beforeEach, describe, expect, it } from 'vitest';
import { Absent } from './cache-query.ts';
import { type ContentCache, createContentCache } from './content-cache.ts';
import { DependencyTracker } from './dependency-tracker.ts';
import { DEFAULT_POLICIES } from './resources.ts';

let now: number;
let cache: ContentCache;
let told: string[];
/** What the upstream answers. */
let upstream: () => Promise<unknown>;

/** What a reader sets off, whether they wait for it or not. */
async function read(): Promise<void> {
  const request = {
    resource: 'topic' as const,
    key: 'topic/news',
    tags: () => ['post:1'],
    load: () => upstream(),
  };
  await cache.read(request, new DependencyTracker()).catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  now = 5_000;
  told = [];
  upstream = async () => 'one';
  const policies = { ...DEFAULT_POLICIES, topic: { ttl: 10, swr: 20, sie: 30 } };
  cache = createContentCache({ policies, maxBytes: 1_000_000, clock: () => now, random: () => 0.5 });
  cache.onNewValue((key) => told.push(key));
  await read();
});

it('the first value of a key is not told of as another one', () => {
  expect(told).toEqual([]);
});

describe.each<[string, () => void]>([
  [
    'its time',
    () => {
      now += 11_000;
    },
  ],
  ['a soft purge', () => cache.purge({ tags: ['post:1'], soft: true })],
  ['a purge', () => cache.purge({ tags: ['post:1'] })],
  ['a purge of everything', () => cache.purge({ all: true })],
])('after %s', (_, goStale) => {
  beforeEach(() => {
    goStale();
  });

  it('nothing is told before the next load', () => {
    expect(told).toEqual([]);
  });

  it('another value is told of, once', async () => {
    upstream = async () => 'two';
    await read();
    await read();
    expect(told).toEqual(['topic/news']);
  });

  it('the same value is not told of', async () => {
    await read();
    expect(told).toEqual([]);
  });

  it('a failure is not told of, and what comes after it is compared all the same', async () => {
    upstream = () => Promise.reject(new Error('down'));
    await read();
    expect(told).toEqual([]);
    now += 2_000;
    upstream = async () => 'two';
    await read();
    expect(told).toEqual(['topic/news']);
  });

  it('the upstream’s word that there is nothing any more is told of', async () => {
    upstream = () => Promise.reject(new Absent());
    await read();
    expect(told).toEqual(['topic/news']);
  });
});
