import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import { type ContentCache, createContentCache } from './content-cache.ts';
import { DependencyTracker } from './dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from './policies.ts';

const SECOND = 1_000;

let clock: FakeClock;
let cache: ContentCache;
let logged: string[];
let newValues: string[];
/** What the upstream has by key; without one it says that there is none. */
let upstream: Map<string, unknown>;
let calls: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clock = fakeClock({ monotonic: 5_000 });
  logged = [];
  newValues = [];
  upstream = new Map();
  calls = [];
  cache = createContentCache({
    policies: { ...DEFAULT_POLICIES, article: { ttl: 10, swr: 600, sie: 600 } },
    maxBytes: 1_000_000,
    clock,
    random: () => 0.5,
    logger: { warn: (_, message) => logged.push(message) },
  });
  cache.onNewValue(({ key }) => newValues.push(key));
});
afterEach(() => void vi.useRealTimers());

function query(key: string): CacheQuery<unknown> {
  return {
    resource: 'article',
    key,
    tags: () => [`tag of ${key}`],
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
    async load() {
      calls.push(key);
      const value = upstream.get(key);
      if (value instanceof Error) throw value;
      if (value === undefined) throw new Absent();
      return value;
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  clock.monotonicMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

/** Reads keys and returns their values, with 'absent' for those that do not exist. */
async function read(...keys: string[]): Promise<unknown[]> {
  const reads = keys.map((key) =>
    cache.read(query(key), new DependencyTracker()).catch((error) => {
      if (error instanceof Absent) return 'absent';
      throw error;
    }),
  );
  const values = await Promise.all(reads);
  await settle();
  return values;
}

async function warm(...keys: string[]): Promise<void> {
  for (const key of keys) upstream.set(key, [key]);
  await read(...keys);
  calls = [];
  clock.monotonicMs += 11 * SECOND;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `article/${index}`);

describe('an absence where a value is cached', () => {
  it('counts once a second call, a second later, says the same; until then the value is served', async () => {
    await warm('a');
    upstream.delete('a');
    expect(await read('a')).toEqual([['a']]);
    expect(await read('a')).toEqual([['a']]);
    expect(calls).toEqual(['a']);
    expect(newValues).toEqual([]);
    await pass(SECOND);
    expect(calls).toEqual(['a', 'a']);
    expect(newValues).toEqual(['a']);
    expect(await read('a')).toEqual(['absent']);
    expect(cache.stats().article).toMatchObject({ errors: 0, refreshErrors: 0 });
  });

  it('is forgotten where the second call brings the value or fails', async () => {
    await warm('a');
    for (const second of [['a'], new Error('down')]) {
      upstream.delete('a');
      await read('a');
      upstream.set('a', second);
      await pass(SECOND);
      clock.monotonicMs += 20 * SECOND;
      expect(await read('a')).toEqual([['a']]);
    }
    upstream.delete('a');
    clock.monotonicMs += 20 * SECOND;
    expect(await read('a')).toEqual([['a']]);
    expect(newValues).toEqual([]);
  });

  it('counts at once where nothing is cached, and where what is cached has expired', async () => {
    expect(await read('a')).toEqual(['absent']);
    await warm('b');
    upstream.delete('b');
    clock.monotonicMs += 2_000 * SECOND;
    expect(await read('b')).toEqual(['absent']);
  });

  it('of an optional value, such as an author, is confirmed too', async () => {
    const author = { ...query('author'), isEmpty: (value: unknown) => value === null };
    const get = () => cache.read(author, new DependencyTracker());
    upstream.set('author', { name: 'Ann' });
    await get();
    upstream.set('author', null);
    clock.monotonicMs += 11 * SECOND;
    expect(await get()).toEqual({ name: 'Ann' });
    await settle();
    expect(await get()).toEqual({ name: 'Ann' });
    await pass(SECOND);
    await expect(get()).rejects.toBeInstanceOf(Absent);
  });
});

describe('many losses together', () => {
  it.each([
    ['absences', undefined],
    ['emptied lists', []],
  ])('are a failure of the upstream: %s', async (_, nothing) => {
    const keys = names(6);
    await warm(...keys);
    for (const key of keys) {
      if (nothing) upstream.set(key, nothing);
      else upstream.delete(key);
    }
    await read(...keys);
    await pass(SECOND);
    expect(cache.isUpstreamMissingContent()).toBe(true);
    for (let second = 0; second < 60; second++) {
      await pass(SECOND);
      expect(await read(...keys)).toEqual(keys.map((key) => [key]));
    }
    expect(logged).toEqual(['the upstream is missing much of its content: what is cached stays']);
    expect(cache.stats().article.errors).toBeGreaterThan(0);
  });

  it('bring back those that counted before, and purge what was sent without them', async () => {
    const keys = names(4);
    await warm(...keys);
    upstream.clear();
    await read(...keys.slice(0, 3));
    await pass(SECOND);
    expect(await read(...keys.slice(0, 3))).toEqual(['absent', 'absent', 'absent']);
    newValues = [];
    await read(...keys);
    expect(await read(...keys)).toEqual(keys.map((key) => [key]));
    expect(newValues).toEqual(keys.slice(0, 3));
  });

  it('end where the upstream brings such content again', async () => {
    const keys = names(4);
    await warm(...keys);
    upstream.clear();
    await read(...keys);
    upstream.set('article/2', ['again']);
    await pass(2 * SECOND);
    await read(...keys);
    expect(await read('article/2')).toEqual([['again']]);
    expect(cache.isUpstreamMissingContent()).toBe(false);
    expect(logged.at(-1)).toBe('the upstream has its content again');
  });

  it('end where all that was kept has expired', async () => {
    const keys = names(4);
    await warm(...keys);
    upstream.clear();
    await read(...keys);
    expect(cache.isUpstreamMissingContent()).toBe(true);
    clock.monotonicMs += 2_000 * SECOND;
    expect(cache.isUpstreamMissingContent()).toBe(false);
    expect(await read(...keys)).toEqual(keys.map(() => 'absent'));
  });

  it('end with a purge, for what it names', async () => {
    const keys = names(5);
    await warm(...keys);
    upstream.clear();
    await read(...keys);
    cache.purge({ keys: ['article/0'] });
    cache.purge({ tags: ['tag of article/1'], soft: true });
    expect(await read('article/0')).toEqual(['absent']);
    await pass(SECOND);
    await read('article/1');
    await pass(SECOND);
    expect(await read('article/1', 'article/2')).toEqual(['absent', ['article/2']]);
    expect(cache.isUpstreamMissingContent()).toBe(true);
    cache.purge({ all: true });
    expect(cache.isUpstreamMissingContent()).toBe(false);
    expect(await read(...keys)).toEqual(keys.map(() => 'absent'));
  });

  it('are not believed after a purge that is assumed because others may have been missed', async () => {
    const keys = names(5);
    await warm(...keys);
    upstream.clear();
    for (let time = 0; time < 3; time++) {
      cache.purge({ all: true, soft: true, assumed: true });
      await read(...keys);
      await pass(SECOND);
    }
    expect(await read(...keys)).toEqual(keys.map((key) => [key]));
    expect(cache.isUpstreamMissingContent()).toBe(true);
  });

  it('are those within ten seconds', async () => {
    const keys = names(8);
    await warm(...keys);
    upstream.clear();
    for (const key of keys) {
      await read(key);
      await pass(4 * SECOND);
      expect(await read(key)).toEqual(['absent']);
    }
    expect(logged).toEqual([]);
  });

  it('never bring back what was purged', async () => {
    const keys = names(5);
    await warm(...keys);
    upstream.clear();
    await read('article/0');
    await pass(SECOND);
    cache.purge({ tags: ['tag of article/0'] });
    await read(...keys.slice(1));
    expect(cache.isUpstreamMissingContent()).toBe(true);
    expect(await read('article/0')).toEqual(['absent']);
  });
});
