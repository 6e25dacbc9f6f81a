import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Absent, type CacheQuery } from './cache-query.ts';
import { type ContentCache, createContentCache, STALE_WAIT_MS } from './content-cache.ts';
import { DependencyTracker } from './dependency-tracker.ts';
import { FAILURE_MS, NEGATIVE_MS } from './failure-cache.ts';
import { DEFAULT_POLICIES } from './resources.ts';

const SECOND = 1_000;
const POLICY = { ttl: 10, swr: 20, sie: 30 };

let now: number;
let cache: ContentCache;
let loads: { resolve: (value: unknown) => void; reject: (error: unknown) => void; cold: boolean }[];

beforeEach(() => {
  now = 5_000;
  loads = [];
  cache = createContentCache({
    policies: { ...DEFAULT_POLICIES, topic: POLICY },
    maxBytes: 1_000_000,
    clock: () => now,
    random: () => 0.5,
  });
});

/** A request whose loads the test settles itself. */
function request(key = 'topic/news', tags: string[] = ['post:1', 'category:news']): CacheQuery<unknown> {
  return {
    resource: 'topic',
    key,
    tags: () => tags,
    load: ({ cold }) => new Promise((resolve, reject) => loads.push({ resolve, reject, cold })),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function warm(value: unknown = 'one', of = request()): Promise<void> {
  const tracker = cache.read(of, new DependencyTracker());
  loads.shift()?.resolve(value);
  await tracker;
}

async function readNow(of = request()): Promise<{ value: unknown; state: string }> {
  const tracker = new DependencyTracker();
  const value = await cache.read(of, tracker);
  return { value, state: tracker.freshness(now).state };
}

describe('a read', () => {
  it('loads once for any number of readers who ask at the same time', async () => {
    const readers = Array.from({ length: 500 }, () => cache.read(request(), new DependencyTracker()));
    expect(loads).toHaveLength(1);
    loads[0]?.resolve('one');
    expect(new Set(await Promise.all(readers))).toEqual(new Set(['one']));
    expect(cache.stats().topic).toMatchObject({ misses: 1, coalesced: 499 });
  });

  it('answers from memory while the copy is fresh', async () => {
    await warm();
    now += 9.9 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'hit' });
    expect(loads).toHaveLength(0);
  });

  it('serves the stale copy at once while one refresh runs, and then the new one', async () => {
    await warm();
    now += 11 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
    expect(loads[0]?.cold).toBe(false);
    loads.shift()?.resolve('two');
    await settle();
    expect(await readNow()).toEqual({ value: 'two', state: 'hit' });
  });

  it('waits for new data once the copy is older than ttl and swr', async () => {
    await warm();
    now += 31 * SECOND;
    const tracker = readNow();
    loads.shift()?.resolve('two');
    expect(await tracker).toEqual({ value: 'two', state: 'miss' });
  });

  it('serves that old copy when the load fails, at once from then on, and asks again in the background after a second', async () => {
    await warm();
    now += 31 * SECOND;
    const tracker = readNow();
    loads.shift()?.reject(new Error('down'));
    expect(await tracker).toEqual({ value: 'one', state: 'stale' });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(0);
    now += FAILURE_MS;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
    loads.shift()?.resolve('two');
    await settle();
    expect((await readNow()).value).toBe('two');
  });

  it('serves that old copy when the load is slow, to later readers without any wait', async () => {
    await warm();
    now += 31 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    now += STALE_WAIT_MS;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
  });

  it('never serves a copy older than ttl, swr and sie together', async () => {
    await warm();
    now += 61 * SECOND;
    const tracker = cache.read(request(), new DependencyTracker());
    loads.shift()?.reject(new Error('down'));
    await expect(tracker).rejects.toThrow('down');
  });

  it('fails its waiters once, and remembers the failure for a second', async () => {
    const readers = [
      cache.read(request(), new DependencyTracker()),
      cache.read(request(), new DependencyTracker()),
    ];
    loads.shift()?.reject(new Error('down'));
    for (const reader of readers) await expect(reader).rejects.toThrow('down');
    await expect(cache.read(request(), new DependencyTracker())).rejects.toThrow('down');
    expect(loads).toHaveLength(0);
    now += FAILURE_MS;
    const later = cache.read(request(), new DependencyTracker());
    loads.shift()?.resolve('one');
    await expect(later).resolves.toBe('one');
  });

  it('lets a failed refresh leave the copy as it is', async () => {
    await warm();
    now += 11 * SECOND;
    await readNow();
    loads.shift()?.reject(new Error('down'));
    await settle();
    expect((await readNow()).value).toBe('one');
    expect(cache.stats().topic.errors).toBe(1);
  });
});

describe('what the upstream says does not exist', () => {
  it('is believed for fifteen seconds without a call', async () => {
    const tracker = cache.read(request(), new DependencyTracker());
    loads.shift()?.reject(new Absent());
    await expect(tracker).rejects.toBeInstanceOf(Absent);
    now += NEGATIVE_MS - 1;
    await expect(cache.read(request(), new DependencyTracker())).rejects.toBeInstanceOf(Absent);
    expect(loads).toHaveLength(0);
    now += 1;
    const later = cache.read(request(), new DependencyTracker());
    loads.shift()?.resolve('back');
    await expect(later).resolves.toBe('back');
  });

  it('drops the copy that stood before, and tells the pages', async () => {
    const changed: string[][] = [];
    cache.onChange((keys) => changed.push(keys));
    await warm();
    now += 11 * SECOND;
    await readNow();
    loads.shift()?.reject(new Absent());
    await settle();
    await expect(cache.read(request(), new DependencyTracker())).rejects.toBeInstanceOf(Absent);
    expect(changed).toEqual([['topic/news']]);
  });
});

describe('a refresh', () => {
  it('that brings the same value keeps its version and its very object', async () => {
    const changed: string[][] = [];
    cache.onChange((keys) => changed.push(keys));
    const [first, second] = [new DependencyTracker(), new DependencyTracker()];
    await warm({ title: 'same' });
    const before = await cache.read(request(), first);
    now += 11 * SECOND;
    await readNow();
    loads.shift()?.resolve({ title: 'same' });
    await settle();
    expect(await cache.read(request(), second)).toBe(before);
    expect(second.dependencies).toEqual(first.dependencies);
    expect(changed).toEqual([]);
  });

  it('that brings another value tells the pages', async () => {
    const changed: string[][] = [];
    cache.onChange((keys) => changed.push(keys));
    await warm('one');
    now += 11 * SECOND;
    await readNow();
    loads.shift()?.resolve('two');
    await settle();
    expect(changed).toEqual([['topic/news']]);
  });

  it('runs beside at most 63 others', async () => {
    for (let index = 0; index < 100; index++) await warm('one', request(`topic/${index}`));
    now += 11 * SECOND;
    for (let index = 0; index < 100; index++) await readNow(request(`topic/${index}`));
    expect(loads).toHaveLength(64);
    loads.shift()?.resolve('two');
    await settle();
    expect(loads).toHaveLength(64);
  });
});

describe('a page', () => {
  it('stands on data that is the same, and has what is stale refreshed', async () => {
    await warm();
    const tracker = new DependencyTracker();
    await cache.read(request(), tracker);
    expect(cache.check(tracker.dependencies)).toEqual({
      unchanged: true,
      freshForMs: 10 * SECOND,
      sameForMs: 10 * SECOND,
      stale: new Set(),
    });
    now += 11 * SECOND;
    expect(cache.check(tracker.dependencies)).toEqual({
      unchanged: true,
      freshForMs: -1 * SECOND,
      sameForMs: 19 * SECOND,
      stale: new Set(['topic/news']),
    });
    loads.shift()?.resolve('two');
    await settle();
    expect(cache.check(tracker.dependencies).unchanged).toBe(false);
  });

  it('does not stand on data that a reader would wait for, unless its load has just failed', async () => {
    await warm();
    const tracker = new DependencyTracker();
    await cache.read(request(), tracker);
    now += 31 * SECOND;
    expect(cache.check(tracker.dependencies).unchanged).toBe(false);
    const read = readNow();
    loads.shift()?.reject(new Error('down'));
    await read;
    expect(cache.check(tracker.dependencies).unchanged).toBe(true);
  });
});

describe('a purge', () => {
  beforeEach(async () => {
    await warm('one', request('topic/news', ['post:1', 'category:news']));
    await warm('one', request('topic/featured', ['post:2', 'category:featured']));
  });

  it.each([
    [{ tags: ['post:1'] }, 1],
    [{ tags: ['category:featured', 'post:1'] }, 2],
    [{ tags: ['topic'] }, 2],
    [{ tags: ['ads'] }, 0],
    [{ all: true }, 2],
  ])('by %j takes out %i', (what, count) => {
    expect(cache.purge(what)).toBe(count);
  });

  it('makes the next reader get new data, with one call', async () => {
    cache.purge({ tags: ['post:1'] });
    const tracker = readNow();
    loads.shift()?.resolve('two');
    expect((await tracker).value).toBe('two');
    expect(loads).toHaveLength(0);
  });

  it('softly: serves the old copy once more, while it is refreshed', async () => {
    cache.purge({ tags: ['post:1'], soft: true });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    loads.shift()?.resolve('two');
    await settle();
    expect((await readNow()).value).toBe('two');
  });
});

describe('the policies', () => {
  it('take effect for what is already cached', async () => {
    await warm();
    now += 8 * SECOND;
    cache.policies.set('topic', { ttl: 5 });
    expect((await readNow()).state).toBe('stale');
    cache.policies.reset('topic');
    expect((await readNow()).state).toBe('hit');
  });
});

describe('always', () => {
  it('one load a key, nothing older than its ages, bytes within the bound', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('read' as const), key: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
      fc.record({ do: fc.constantFrom('resolve' as const, 'reject' as const, 'absent' as const) }),
      fc.record({ do: fc.constant('purge' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        let time = 0;
        const maxBytes = 6_000;
        const flying = new Map<
          string,
          { resolve: (value: number) => void; reject: (error: Error) => void }
        >();
        const own = createContentCache({
          policies: { ...DEFAULT_POLICIES, topic: POLICY },
          maxBytes,
          clock: () => time,
          random: () => 0.5,
        });
        const reads: Promise<unknown>[] = [];
        const doubled: string[] = [];
        for (const action of steps) {
          if (action.do === 'wait') time += action.ms;
          if (action.do === 'purge') own.purge({ all: true });
          if (action.do === 'read') {
            const key = `topic/${action.key}`;
            const asked = time;
            const load = () =>
              new Promise<number>((resolve, reject) => {
                if (flying.has(key)) doubled.push(key);
                flying.set(key, { resolve, reject });
              });
            const read = own.read({ resource: 'topic', key, tags: () => [], load }, new DependencyTracker());
            reads.push(
              read.then(
                (storedAt) => expect(asked - storedAt).toBeLessThan(61 * SECOND),
                () => undefined,
              ),
            );
          }
          const [first] = flying;
          if (first && (action.do === 'resolve' || action.do === 'reject' || action.do === 'absent')) {
            const [key, flight] = first;
            flying.delete(key);
            if (action.do === 'resolve') flight.resolve(time);
            else flight.reject(action.do === 'absent' ? new Absent() : new Error('down'));
          }
          await settle();
          const bytes = Object.values(own.stats()).reduce((sum, row) => sum + row.bytes, 0);
          expect(bytes).toBeLessThanOrEqual(maxBytes);
          expect(doubled).toEqual([]);
        }
        for (const { reject } of flying.values()) reject(new Error('the end'));
        await Promise.all(reads);
      }),
      { numRuns: 60 },
    );
  });
});
