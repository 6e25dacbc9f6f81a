import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeClock, fakeClock } from '../../tests/fixtures/clocks.ts';
import { readState } from '../../tests/fixtures/read-state.ts';
import { measureValue } from './cache-entry.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import { type ContentCache, createContentCache, STALE_WAIT_MS } from './content-cache.ts';
import { DependencyTracker } from './dependencies/dependency-tracker.ts';
import { FAILURE_MS, NEGATIVE_MS } from './loading/failure-cache.ts';
import { DEFAULT_POLICIES } from './policies.ts';
import type { SnapshotEntry } from './snapshot/snapshot-entry.ts';

const SECOND = 1_000;
const POLICY = { ttl: 10, swr: 20, sie: 30 };

let clock: FakeClock;
let cache: ContentCache;
let loads: { resolve: (value: unknown) => void; reject: (error: unknown) => void; cold: boolean }[];

beforeEach(() => {
  clock = fakeClock({ monotonic: 5_000 });
  loads = [];
  cache = createContentCache({
    policies: { ...DEFAULT_POLICIES, topic: POLICY },
    maxBytes: 1_000_000,
    clock,
    random: () => 0.5,
  });
});

/** A query whose loads the test settles. */
function query(key = 'topic/news', tags: string[] = ['post:1', 'category:news']): CacheQuery<unknown> {
  return {
    resource: 'topic',
    key,
    tags: () => tags,
    load: ({ cold }) => new Promise((resolve, reject) => loads.push({ resolve, reject, cold })),
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function warm(value: unknown = 'one', of = query()): Promise<void> {
  const read = cache.read(of, new DependencyTracker());
  loads.shift()?.resolve(value);
  await read;
}

async function readNow(of = query()): Promise<{ value: unknown; state: string }> {
  const tracker = new DependencyTracker();
  const value = await cache.read(of, tracker);
  return { value, state: readState(tracker) };
}

describe('a read', () => {
  it('shares one load between any number of concurrent reads', async () => {
    const readers = Array.from({ length: 500 }, () => cache.read(query(), new DependencyTracker()));
    expect(loads).toHaveLength(1);
    loads[0]?.resolve('one');
    expect(new Set(await Promise.all(readers))).toEqual(new Set(['one']));
    expect(cache.stats().topic).toMatchObject({ misses: 1, coalesced: 499 });
  });

  it('serves a fresh value from memory', async () => {
    await warm();
    clock.monotonicMs += 9.9 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'hit' });
    expect(loads).toHaveLength(0);
  });

  it('serves a stale value at once while one refresh runs, and then the new value', async () => {
    await warm();
    clock.monotonicMs += 11 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
    expect(loads[0]?.cold).toBe(false);
    loads.shift()?.resolve('two');
    await settle();
    expect(await readNow()).toEqual({ value: 'two', state: 'hit' });
  });

  it('waits for a load past ttl and swr', async () => {
    await warm();
    clock.monotonicMs += 31 * SECOND;
    const read = readNow();
    loads.shift()?.resolve('two');
    expect(await read).toEqual({ value: 'two', state: 'miss' });
  });

  it('serves the stale-if-error value when the load fails, then at once, and refreshes in the background after a second', async () => {
    await warm();
    clock.monotonicMs += 31 * SECOND;
    const read = readNow();
    loads.shift()?.reject(new Error('down'));
    expect(await read).toEqual({ value: 'one', state: 'stale' });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(0);
    clock.monotonicMs += FAILURE_MS;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
    loads.shift()?.resolve('two');
    await settle();
    expect((await readNow()).value).toBe('two');
  });

  it('serves the stale-if-error value when the load is slow, and later readers do not wait', async () => {
    await warm();
    clock.monotonicMs += 31 * SECOND;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    clock.monotonicMs += STALE_WAIT_MS;
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    expect(loads).toHaveLength(1);
  });

  it('never serves an expired value', async () => {
    await warm();
    clock.monotonicMs += 61 * SECOND;
    const read = cache.read(query(), new DependencyTracker());
    loads.shift()?.reject(new Error('down'));
    await expect(read).rejects.toThrow('down');
  });

  it('rejects for all who joined a failed load, and remembers the failure for a second', async () => {
    const readers = [
      cache.read(query(), new DependencyTracker()),
      cache.read(query(), new DependencyTracker()),
    ];
    loads.shift()?.reject(new Error('down'));
    for (const reader of readers) await expect(reader).rejects.toThrow('down');
    await expect(cache.read(query(), new DependencyTracker())).rejects.toThrow('down');
    expect(loads).toHaveLength(0);
    clock.monotonicMs += FAILURE_MS;
    const later = cache.read(query(), new DependencyTracker());
    loads.shift()?.resolve('one');
    await expect(later).resolves.toBe('one');
  });

  it('keeps the cached value when a refresh fails, which is tried once a second, however often it is read', async () => {
    await warm();
    clock.monotonicMs += 11 * SECOND;
    await readNow();
    loads.shift()?.reject(new Error('down'));
    await settle();
    for (let nth = 0; nth < 10; nth++) expect((await readNow()).value).toBe('one');
    expect(loads).toHaveLength(0);
    expect(cache.stats().topic.errors).toBe(1);
    clock.monotonicMs += FAILURE_MS;
    for (let nth = 0; nth < 10; nth++) await readNow();
    expect(loads).toHaveLength(1);
  });
});

describe('a key that is absent upstream', () => {
  it('is remembered for fifteen seconds (negative caching)', async () => {
    const read = cache.read(query(), new DependencyTracker());
    loads.shift()?.reject(new Absent());
    await expect(read).rejects.toBeInstanceOf(Absent);
    clock.monotonicMs += NEGATIVE_MS - 1;
    await expect(cache.read(query(), new DependencyTracker())).rejects.toBeInstanceOf(Absent);
    expect(loads).toHaveLength(0);
    clock.monotonicMs += 1;
    const later = cache.read(query(), new DependencyTracker());
    loads.shift()?.resolve('back');
    await expect(later).resolves.toBe('back');
  });

  it('is loaded again after a purge of any tag, since its own are not known', async () => {
    const absent = async () => {
      const read = cache.read(query(), new DependencyTracker());
      loads.shift()?.reject(new Absent());
      await expect(read).rejects.toBeInstanceOf(Absent);
    };
    await absent();
    cache.purge({ keys: ['topic/other'] });
    await absent();
    cache.purge({ tags: ['post:7'] });
    const later = cache.read(query(), new DependencyTracker());
    loads.shift()?.resolve('published');
    await expect(later).resolves.toBe('published');
  });
});

describe('a refresh', () => {
  it('with an unchanged value keeps its version', async () => {
    const changed: string[] = [];
    cache.onNewValue(({ key }) => changed.push(key));
    const [first, second] = [new DependencyTracker(), new DependencyTracker()];
    await warm({ title: 'same' });
    await cache.read(query(), first);
    clock.monotonicMs += 11 * SECOND;
    await readNow();
    loads.shift()?.resolve({ title: 'same' });
    await settle();
    await cache.read(query(), second);
    expect(second.dependencies).toEqual(first.dependencies);
    expect(changed).toEqual([]);
  });

  it('with another value is reported as a change', async () => {
    const changed: string[] = [];
    cache.onNewValue(({ key }) => changed.push(key));
    await warm('one');
    clock.monotonicMs += 11 * SECOND;
    await readNow();
    loads.shift()?.resolve('two');
    await settle();
    expect(changed).toEqual(['topic/news']);
  });

  it('is one of at most 64 at the same time', async () => {
    for (let index = 0; index < 100; index++) await warm('one', query(`topic/${index}`));
    clock.monotonicMs += 11 * SECOND;
    for (let index = 0; index < 100; index++) await readNow(query(`topic/${index}`));
    expect(loads).toHaveLength(64);
    loads.shift()?.resolve('two');
    await settle();
    expect(loads).toHaveLength(64);
  });
});

describe('checking the dependencies of a page', () => {
  it('finds them unchanged, and refreshes stale ones', async () => {
    await warm();
    const tracker = new DependencyTracker();
    await cache.read(query(), tracker);
    expect(cache.check(tracker.dependencies)).toEqual({
      unchanged: true,
      freshForMs: 10 * SECOND,
      sameForMs: 10 * SECOND,
      stale: new Set(),
    });
    clock.monotonicMs += 11 * SECOND;
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

  it('finds a change where a reader would wait, unless the load has just failed', async () => {
    await warm();
    const tracker = new DependencyTracker();
    await cache.read(query(), tracker);
    clock.monotonicMs += 31 * SECOND;
    expect(cache.check(tracker.dependencies).unchanged).toBe(false);
    const read = readNow();
    loads.shift()?.reject(new Error('down'));
    await read;
    expect(cache.check(tracker.dependencies).unchanged).toBe(true);
  });
});

describe('a purge', () => {
  beforeEach(async () => {
    await warm('one', query('topic/news', ['post:1', 'category:news']));
    await warm('one', query('topic/featured', ['post:2', 'category:featured']));
  });

  it.each([
    [{ tags: ['post:1'] }, 1],
    [{ tags: ['category:featured', 'post:1'] }, 2],
    [{ tags: ['topic'] }, 2],
    [{ tags: ['ads'] }, 0],
    [{ all: true }, 2],
  ])('by %j removes %i', (what, count) => {
    expect(cache.purge(what)).toBe(count);
  });

  it.each([[{ all: true }], [{ keys: ['topic/failing'] }], [{ tags: ['topic'] }]])(
    'by %j makes the next read load a key whose load has just failed',
    async (purge) => {
      const failing = query('topic/failing');
      const failed = cache.read(failing, new DependencyTracker());
      loads.shift()?.reject(new Error('down'));
      await expect(failed).rejects.toThrow('down');
      cache.purge(purge);
      const read = readNow(failing);
      loads.shift()?.resolve('one');
      expect(await read).toEqual({ value: 'one', state: 'miss' });
    },
  );

  it('makes the next read load once', async () => {
    cache.purge({ tags: ['post:1'] });
    const read = readNow();
    loads.shift()?.resolve('two');
    expect((await read).value).toBe('two');
    expect(loads).toHaveLength(0);
  });

  it('while a refresh brings what it names, which the cached value has not, keeps that value from being stored', async () => {
    const posts: CacheQuery<unknown> = { ...query('topic/posts'), tags: (value) => [`post:${value}`] };
    await warm('1', posts);
    clock.monotonicMs += 11 * SECOND;
    await readNow(posts);
    cache.purge({ tags: ['post:7'] });
    loads.shift()?.resolve('7');
    await settle();
    expect((await readNow(posts)).value).toBe('1');
    cache.purge({ tags: ['post:8'] });
    loads.shift()?.resolve('7');
    await settle();
    expect((await readNow(posts)).value).toBe('7');
  });

  it('that is soft refreshes for the next reader also where a refresh was under way', async () => {
    clock.monotonicMs += 11 * SECOND;
    await readNow();
    cache.purge({ tags: ['post:1'], soft: true });
    expect((await readNow()).value).toBe('one');
    loads.shift()?.resolve('one');
    await settle();
    loads.shift()?.resolve('two');
    await settle();
    expect((await readNow()).value).toBe('two');
  });

  it('that is soft serves the old value while it is refreshed', async () => {
    cache.purge({ tags: ['post:1'], soft: true });
    expect(await readNow()).toEqual({ value: 'one', state: 'stale' });
    loads.shift()?.resolve('two');
    await settle();
    expect((await readNow()).value).toBe('two');
  });
});

describe('a policy change', () => {
  it('applies to what is already cached', async () => {
    await warm();
    clock.monotonicMs += 8 * SECOND;
    cache.policies.set('topic', { ttl: 5 });
    expect((await readNow()).state).toBe('stale');
    cache.policies.reset('topic');
    expect((await readNow()).state).toBe('hit');
  });
});

describe('after any sequence of steps', () => {
  it('one load a key is in flight, nothing expired is served, the bytes are bounded, and the statistics fit the entries', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('read' as const), key: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
      fc.record({ do: fc.constantFrom('resolve' as const, 'reject' as const, 'absent' as const) }),
      fc.record({ do: fc.constant('purge' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const ownClock = fakeClock();
        const maxBytes = 6_000;
        const inFlight = new Map<
          string,
          { resolve: (value: number) => void; reject: (error: Error) => void }
        >();
        const own = createContentCache({
          policies: { ...DEFAULT_POLICIES, topic: POLICY },
          maxBytes,
          clock: ownClock,
          random: () => 0.5,
        });
        const reads: Promise<unknown>[] = [];
        const doubled: string[] = [];
        for (const action of steps) {
          if (action.do === 'wait') ownClock.monotonicMs += action.ms;
          if (action.do === 'purge') own.purge({ all: true });
          if (action.do === 'read') {
            const key = `topic/${action.key}`;
            const readAt = ownClock.monotonicMs;
            const load = () =>
              new Promise<number>((resolve, reject) => {
                if (inFlight.has(key)) doubled.push(key);
                inFlight.set(key, { resolve, reject });
              });
            const read = own.read({ resource: 'topic', key, tags: () => [], load }, new DependencyTracker());
            reads.push(
              read.then(
                (storedAt) => expect(readAt - storedAt).toBeLessThan(61 * SECOND),
                () => undefined,
              ),
            );
          }
          const [first] = inFlight;
          if (first && (action.do === 'resolve' || action.do === 'reject' || action.do === 'absent')) {
            const [key, load] = first;
            inFlight.delete(key);
            if (action.do === 'resolve') load.resolve(ownClock.monotonicMs);
            else load.reject(action.do === 'absent' ? new Absent() : new Error('down'));
          }
          await settle();
          const { entries, bytes } = own.stats().topic;
          expect(bytes).toBeLessThanOrEqual(maxBytes);
          const cached = [...own.entries()];
          expect(entries).toBe(cached.length);
          const bytesOf = ({ key, value, tags }: SnapshotEntry) => measureValue(key, value, tags).bytes;
          expect(bytes).toBe(cached.reduce((sum, entry) => sum + bytesOf(entry), 0));
          expect(doubled).toEqual([]);
        }
        for (const { reject } of inFlight.values()) reject(new Error('the end'));
        await Promise.all(reads);
      }),
      { numRuns: 60 },
    );
  });
});
