import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { readState } from '../../tests/fixtures/read-state.ts';
import { type CacheMode, Frozen } from './cache-mode.ts';
import { type ContentCache, createContentCache } from './content-cache.ts';
import { DependencyTracker } from './dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from './policies.ts';

const SECOND = 1_000;

let clock: FakeClock;
let mode: CacheMode;
let cache: ContentCache;
let upstream: () => Promise<string>;
let loads: number;

beforeEach(() => {
  clock = fakeClock({ monotonic: 5_000 });
  loads = 0;
  upstream = async () => `load ${loads}`;
  cache = createContentCache({
    policies: { ...DEFAULT_POLICIES, topic: { ttl: 10, swr: 20, sie: 30 } },
    maxBytes: 1_000_000,
    clock,
    random: () => 0.5,
  });
  mode = cache.mode;
});

const down = async () => {
  throw new Error('down');
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function read(): Promise<{ value: string; state: string; tracker: DependencyTracker }> {
  const tracker = new DependencyTracker();
  const load = () => {
    loads++;
    return upstream();
  };
  const value = await cache.read({ resource: 'topic', key: 'topic/news', tags: () => [], load }, tracker);
  return { value, state: readState(tracker), tracker };
}

describe('a mode', () => {
  it('is normal until it is set, and normal again when its time is over', () => {
    expect(mode.current()).toEqual({ mode: 'normal', ttlFactor: 1, endsInSeconds: null });
    expect(mode.set({ mode: 'freeze', ttlFactor: 3, forSeconds: 5 })).toEqual({
      mode: 'freeze',
      ttlFactor: 3,
      endsInSeconds: 5,
    });
    clock.monotonicMs += 5 * SECOND;
    expect(mode.current()).toEqual({ mode: 'normal', ttlFactor: 1, endsInSeconds: null });
  });

  it('replaces the one before it whole', () => {
    mode.set({ mode: 'freeze', ttlFactor: 3 });
    expect(mode.set({ mode: 'bypass' })).toEqual({ mode: 'bypass', ttlFactor: 1, endsInSeconds: 600 });
    expect(mode.set({ mode: 'normal' }).endsInSeconds).toBeNull();
  });
});

describe('a frozen cache', () => {
  it('serves a cached value of any age, as stale', async () => {
    await read();
    mode.set({ mode: 'freeze', forSeconds: 86_400 });
    clock.monotonicMs += 80_000 * SECOND;
    expect(await read()).toMatchObject({ value: 'load 1', state: 'stale' });
    expect(loads).toBe(1);
  });

  it('rejects a read of a missing key, without a load', async () => {
    mode.set({ mode: 'freeze' });
    await expect(read()).rejects.toBeInstanceOf(Frozen);
    expect(loads).toBe(0);
  });

  it('starts no load for a reader who waited for one that a purge made outdated', async () => {
    const gate = Promise.withResolvers<string>();
    upstream = () => gate.promise;
    const first = read();
    cache.purge({ all: true });
    const second = read();
    mode.set({ mode: 'freeze' });
    gate.resolve('from before');
    await first;
    await expect(second).rejects.toBeInstanceOf(Frozen);
    expect(loads).toBe(1);
  });

  it('lets pages be served with data of any age, without a refresh', async () => {
    const { tracker } = await read();
    mode.set({ mode: 'freeze' });
    clock.monotonicMs += 500 * SECOND;
    expect(cache.check(tracker.dependencies).unchanged).toBe(true);
    await settle();
    expect(loads).toBe(1);
  });
});

describe('a bypassed cache', () => {
  it('loads for every read, and lets no page be served from the cache', async () => {
    const { tracker } = await read();
    mode.set({ mode: 'bypass' });
    expect(await read()).toMatchObject({ value: 'load 2', state: 'miss' });
    expect(cache.check(tracker.dependencies).unchanged).toBe(false);
  });

  it('shares one load between concurrent reads', async () => {
    await read();
    mode.set({ mode: 'bypass' });
    await Promise.all([read(), read(), read()]);
    expect(loads).toBe(2);
  });

  it('serves the cached value when the load fails, and asks again for each read', async () => {
    await read();
    mode.set({ mode: 'bypass' });
    upstream = down;
    expect(await read()).toMatchObject({ value: 'load 1', state: 'hit', tracker: { forward: 'miss' } });
    expect(await read()).toMatchObject({ value: 'load 1', state: 'hit', tracker: { forward: 'miss' } });
    expect(loads).toBe(3);
    clock.monotonicMs += 11 * SECOND;
    expect(await read()).toMatchObject({ value: 'load 1', state: 'stale', tracker: { forward: 'miss' } });
    expect(loads).toBe(4);
    expect(cache.stats().topic).toMatchObject({ misses: 1, hits: 2, staleHits: 1, errors: 3 });
  });

  it('counts a failed load as a miss where nothing is cached', async () => {
    mode.set({ mode: 'bypass' });
    upstream = down;
    await expect(read()).rejects.toThrow('down');
    await expect(read()).rejects.toThrow('down');
    expect(cache.stats().topic).toMatchObject({ misses: 2, hits: 0, staleHits: 0, errors: 2 });
  });

  it('does not serve an expired value', async () => {
    await read();
    mode.set({ mode: 'bypass' });
    clock.monotonicMs += 61 * SECOND;
    upstream = down;
    await expect(read()).rejects.toThrow('down');
  });
});

describe('a ttl factor', () => {
  it('extends the freshness of cached entries until the mode ends', async () => {
    await read();
    mode.set({ mode: 'normal', ttlFactor: 100, forSeconds: 15 });
    clock.monotonicMs += 14 * SECOND;
    expect(await read()).toMatchObject({ state: 'hit' });
    expect(cache.explain('topic/news', 'topic').nextRefreshSeconds).toBe(1);
    clock.monotonicMs += SECOND;
    expect(await read()).toMatchObject({ state: 'stale' });
  });

  it('never ends freshness before the ordinary ttl does', async () => {
    await read();
    mode.set({ mode: 'normal', ttlFactor: 100, forSeconds: 2 });
    clock.monotonicMs += 9 * SECOND;
    expect(await read()).toMatchObject({ state: 'hit' });
    clock.monotonicMs += SECOND;
    expect(await read()).toMatchObject({ state: 'stale' });
  });

  it('below one shortens freshness', async () => {
    await read();
    mode.set({ mode: 'normal', ttlFactor: 0.5 });
    clock.monotonicMs += 6 * SECOND;
    expect(await read()).toMatchObject({ state: 'stale' });
  });
});

describe('a purge while a load is in flight', () => {
  it('makes the next reader load again, and the outdated value is not stored', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    upstream = () => promise;
    const before = read();
    cache.purge({ tags: ['topic'] });
    upstream = async () => 'new';
    const after = read();
    await settle();
    expect(loads).toBe(1);
    resolve('old');
    expect((await before).value).toBe('old');
    expect((await after).value).toBe('new');
    expect((await read()).value).toBe('new');
    expect(loads).toBe(2);
  });
});

describe('explaining a key', () => {
  it('gives the age, the state and the outcome of the last load', async () => {
    await read();
    clock.monotonicMs += 4 * SECOND;
    expect(cache.explain('topic/news', 'topic')).toMatchObject({
      state: 'fresh',
      ageSeconds: 4,
      nextRefreshSeconds: 6,
      tags: ['topic'],
      lastError: null,
    });
    clock.monotonicMs += 10 * SECOND;
    upstream = down;
    await read();
    await settle();
    clock.monotonicMs += 2 * SECOND;
    expect(cache.explain('topic/news', 'topic')).toMatchObject({
      state: 'stale',
      nextRefreshSeconds: 0,
      lastError: { message: 'down', secondsAgo: 2 },
    });
  });

  it('gives the age since the load, also after a soft purge', async () => {
    await read();
    clock.monotonicMs += 4 * SECOND;
    cache.purge({ all: true, soft: true });
    expect(cache.explain('topic/news', 'topic')).toMatchObject({ state: 'stale', ageSeconds: 4 });
  });
});

describe('pages', () => {
  it('are told when a policy or the mode changes', () => {
    let changes = 0;
    cache.onFreshnessChange(() => changes++);
    cache.policies.set('topic', { ttl: 1 });
    cache.policies.reset('topic');
    mode.set({ mode: 'bypass' });
    expect(changes).toBe(3);
  });
});

describe('queued refreshes', () => {
  it('are counted apart from running ones', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const request = (index: number) => ({
      resource: 'topic' as const,
      key: `topic/${index}`,
      tags: () => [],
      load: () => upstream(),
    });
    for (let index = 0; index < 70; index++) await cache.read(request(index), new DependencyTracker());
    clock.monotonicMs += 11 * SECOND;
    let started = 0;
    upstream = () => {
      started++;
      return promise;
    };
    for (let index = 0; index < 70; index++) await cache.read(request(index), new DependencyTracker());
    expect([started, cache.waitingRefreshes()]).toEqual([64, 6]);
    resolve('new');
    await settle();
    expect([started, cache.waitingRefreshes()]).toEqual([70, 0]);
  });
});
