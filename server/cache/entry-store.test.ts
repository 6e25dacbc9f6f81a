import { beforeEach, describe, expect, it } from 'vitest';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import type { CacheQuery } from './cache-query.ts';
import { createEntryStore, type EntryStore } from './entry-store.ts';
import { createResourceStats } from './resource-stats.ts';

let store: EntryStore;

const createStore = (maxBytes: number) =>
  createEntryStore({
    maxBytes,
    clock: fakeClock({ monotonic: 5_000 }),
    random: () => 0.5,
    stats: createResourceStats(),
  });

beforeEach(() => {
  store = createStore(20_000);
});

function put(key: string, value: unknown, ...tags: string[]): void {
  putOf('topic', key, value, ...tags);
}

function putOf(resource: Resource, key: string, value: unknown, ...tags: string[]): void {
  const query: CacheQuery<unknown> = {
    resource,
    key,
    tags: () => tags,
    load: () => Promise.reject(new Error('not loaded here')),
  };
  store.set(
    key,
    store.createEntry(query, value, 0, () => undefined),
  );
}

const found = (...purge: Parameters<EntryStore['find']>) => [...store.find(...purge)].toSorted();

describe('a purge finds', () => {
  it('entries by key and by tag, their resource among them, and those that are there alone', () => {
    put('a', 1, 'post:1', 'category:news');
    put('b', 2, 'post:2', 'category:news');
    put('c', 3);
    expect(found({ keys: ['c', 'none'] })).toEqual(['c']);
    expect(found({ tags: ['post:1', 'none'] })).toEqual(['a']);
    expect(found({ tags: ['category:news'], keys: ['a'] })).toEqual(['a', 'b']);
    expect(found({ tags: ['topic'] })).toEqual(['a', 'b', 'c']);
    expect(found({ all: true })).toEqual(['a', 'b', 'c']);
    expect(found({})).toEqual([]);
  });

  it('an entry by the tags of its present value', () => {
    put('a', 1, 'post:1');
    put('a', 2, 'post:2');
    expect(found({ tags: ['post:1'] })).toEqual([]);
    expect(found({ tags: ['post:2'] })).toEqual(['a']);
  });

  it('nothing that was deleted or evicted', () => {
    put('a', 1, 'post:1');
    store.delete('a');
    for (let index = 0; index < 100; index++) put(`other/${index}`, index, `post:${index}`);
    const kept = found({ all: true });
    expect(kept.length).toBeLessThan(20);
    expect(found({ tags: Array.from({ length: 100 }, (_, index) => `post:${index}`) })).toEqual(kept);
  });
});

it('an entry larger than the bound is not kept, nor the one before it', () => {
  put('a', 1, 'post:1');
  put('a', 'x'.repeat(20_000), 'post:1');
  expect(store.get('a')).toBeUndefined();
  expect(found({ tags: ['post:1'] })).toEqual([]);
});

it('an unchanged value keeps its version; any change of the entries is counted', () => {
  put('a', { title: 'same' });
  const before = store.get('a');
  const changes = store.changes();
  put('a', { title: 'same' });
  expect(store.get('a')).toMatchObject({ version: before?.version });
  expect(store.changes()).toBeGreaterThan(changes);
  put('a', { title: 'another' });
  expect(store.get('a')?.version).not.toBe(before?.version);
});

it('a soft purge is a change, which the next snapshot has', () => {
  put('a', 1);
  const before = store.changes();
  store.softPurge('a');
  store.softPurge('none');
  expect(store.changes()).toBe(before + 1);
  expect([...store.snapshot()]).toMatchObject([{ key: 'a', softPurged: true }]);
});

it('a snapshot has the most recently used entries first, and none whose key a reader typed', () => {
  put('a', 1);
  putOf('search', 'search/all/ann%40example.com/1', 2);
  put('b', 3);
  store.get('a');
  expect([...store.snapshot()].map(({ key }) => key)).toEqual(['a', 'b']);
});

it('a snapshot has what was used before more searches than it has entries, last stored first', () => {
  store = createStore(100_000_000);
  for (const key of ['a', 'b', 'c']) put(key, 1);
  put('a', 2);
  for (let index = 0; index < 10_000; index++) putOf('search', `search/all/${index}/1`, index);
  expect([...store.snapshot()].map(({ key }) => key)).toEqual(['a', 'c', 'b']);
});
