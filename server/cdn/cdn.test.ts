import { Registry } from '@prometheus-io/client';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Absent } from '#server/cache/cache-query.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { createCdn } from './cdn.ts';

function start() {
  const cache = createContentCache({ policies: DEFAULT_POLICIES, maxBytes: 1_000_000, clock: fakeClock() });
  const config = { name: 'fastly', purgeUrl: 'http://127.0.0.1:9', token: 't', zone: 'z' } as const;
  const logger = pino({ level: 'silent' });
  const cdn = createCdn({ config, cache, registry: new Registry(), logger });
  if (cdn === null) throw new Error('there is a CDN');
  return { cache, cdn };
}

describe('what another instance was told by an operator', () => {
  it('purges the CDN there, not again here', () => {
    const { cache, cdn } = start();
    cache.policies.set('home', { ttl: 7 });
    cache.mode.set({ mode: 'bypass' });
    cache.purge({ all: true });
    expect(cdn.purge({}).queued).toBe(0);
  });
});

it('what is absent upstream after a purge is purged: it may have been back', async () => {
  const { cache, cdn } = start();
  const read = (load: () => Promise<string>) =>
    cache.read(
      { resource: 'article', key: 'article/a', tags: () => ['post:1'], load },
      new DependencyTracker(),
    );
  await read(async () => 'back');
  cache.purge({ tags: ['post:1'] });
  await expect(read(() => Promise.reject(new Absent()))).rejects.toBeInstanceOf(Absent);
  expect(cdn.purge({}).queued).toBe(1);
});

it('a value with another tag than before is purged by both: another post has taken over a slug', async () => {
  const { cache, cdn } = start();
  const read = (id: string) =>
    cache.read(
      { resource: 'article', key: 'article/a', tags: () => [`post:${id}`], load: async () => id },
      new DependencyTracker(),
    );
  await read('1');
  cache.mode.set({ mode: 'bypass' });
  await read('2');
  await Promise.resolve();
  expect(cdn.purge({}).queued).toBe(2);
});

it('a value that is purged softly is kept by the CDN for a second and no longer, until it was refreshed', async () => {
  const { cache, cdn } = start();
  const { promise: refreshed, resolve: refresh } = Promise.withResolvers<string>();
  let loads = 0;
  const query = {
    resource: 'article',
    key: 'article/news/a',
    tags: () => ['post:1'],
    load: () => (loads++ === 0 ? Promise.resolve('a') : refreshed),
  } as const;
  const header = async () => {
    const tracker = new DependencyTracker();
    await cache.read(query, tracker);
    const { dependencies, complete } = tracker;
    return cdn.headers.of({ status: 200, ttl: -3, dependencies, page: null, complete })[1];
  };
  const { swr, sie } = DEFAULT_POLICIES.article;
  expect(await header()).toBe(`max-age=1, stale-while-revalidate=${swr}, stale-if-error=${sie}`);
  cache.purge({ keys: ['article/news/a'], soft: true });
  expect(await header()).toBe(`max-age=1, stale-while-revalidate=0, stale-if-error=${sie}`);
  refresh('b');
  await expect.poll(header).toBe(`max-age=1, stale-while-revalidate=${swr}, stale-if-error=${sie}`);
});

describe('a response that is made while its data is purged', () => {
  async function read(cache: ReturnType<typeof start>['cache'], load: () => Promise<string>) {
    const tracker = new DependencyTracker();
    await cache.read({ resource: 'article', key: 'article/a', tags: () => ['post:1'], load }, tracker);
    const { dependencies, complete } = tracker;
    return { status: 200, ttl: 60, dependencies, page: 'article', complete };
  }

  it('is not kept by the CDN, the next one is, with its tags', async () => {
    const { cache, cdn } = start();
    const before = await read(cache, async () => 'old');
    cache.purge({ tags: ['post:1'] });
    expect(cdn.headers.of(before)).toEqual(['surrogate-control', 'no-store']);
    const loadedBefore = await read(cache, async () => {
      cache.purge({ tags: ['post:1'] });
      return 'old';
    });
    expect(cdn.headers.of(loadedBefore)).toEqual(['surrogate-control', 'no-store']);
    const after = cdn.headers.of(await read(cache, async () => 'new'));
    expect(after[1]).toMatch(/^max-age=60, /);
    expect(after.slice(2)).toEqual(['surrogate-key', 'document document:article article post:1 article/a']);
  });
});

it('a document without an optional section is kept for what is left of its time alone, and purged as a document', () => {
  const { cdn } = start();
  expect(cdn.headers.of({ status: 200, ttl: 5, dependencies: [], page: 'about', complete: false })).toEqual([
    'surrogate-control',
    'max-age=5, stale-while-revalidate=0, stale-if-error=86400',
    'surrogate-key',
    'document document:about',
  ]);
});
