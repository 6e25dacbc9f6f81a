import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/time.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { type CacheEntry, measureValue } from './cache-entry.ts';
import type { Purge } from './cache-events.ts';
import type { CacheQuery } from './cache-query.ts';
import type { ResourceStatsCounter } from './resource-stats.ts';
import { fromSnapshotEntry, type SnapshotEntry, toSnapshotEntry } from './snapshot/snapshot-entry.ts';

/** TTLs vary by this share either way. */
const JITTER = 0.1;
/** To list the keys of more would block the event loop for five milliseconds and more. */
const MAX_SNAPSHOT_ENTRIES = 10_000;
/** Their keys have nothing that readers typed. */
const UNTYPED = RESOURCES.filter((resource) => !RESOURCE_TABLE[resource].isTyped);

export interface EntryStoreOptions {
  maxBytes: number;
  clock: Clock;
  random: () => number;
  stats: Pick<ResourceStatsCounter, 'added' | 'removed'>;
}

/**
 * Creates the memory of the content cache: entries by key, bounded in bytes, least recently used out first, with an index
 * by tag, so that a purge costs what it finds. An entry larger than the bound is not kept.
 */
export function createEntryStore({ maxBytes, clock, random, stats }: EntryStoreOptions) {
  const keysByTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: Math.ceil(maxBytes),
    sizeCalculation: ({ bytes }) => bytes,
    onInsert(entry, key) {
      stats.added(entry);
      changes++;
      for (const tag of entry.tags) addToIndex(tag, key);
    },
    dispose(entry, key) {
      stats.removed(entry);
      changes++;
      for (const tag of entry.tags) removeFromIndex(tag, key);
    },
  });
  let versions = 0;
  let changes = 0;

  function addToIndex(tag: string, key: string): void {
    const keys = keysByTag.get(tag);
    if (keys) keys.add(key);
    else keysByTag.set(tag, new Set([key]));
  }

  function removeFromIndex(tag: string, key: string): void {
    const keys = keysByTag.get(tag);
    if (keys?.delete(key) && keys.size === 0) keysByTag.delete(tag);
  }

  return {
    /** Returns an entry, which counts as used now. */
    get: (key: string): CacheEntry | undefined => entries.get(key),
    /** Returns an entry. Does not count as use of it. */
    peek: (key: string): CacheEntry | undefined => entries.peek(key),
    has: (key: string): boolean => entries.has(key),
    set: (key: string, entry: CacheEntry): void => void entries.set(key, entry),
    delete: (key: string): boolean => entries.delete(key),
    softPurge(key: string): void {
      const entry = entries.peek(key);
      if (!entry) return;
      entry.softPurgedAt ??= clock.monotonic();
      changes++;
    },
    /** Grows with each entry that is stored, removed or softly purged. */
    changes: (): number => changes,

    /** Returns the entry of a value, not stored. An unchanged value keeps its version, so that pages built from it stay valid. */
    createEntry<T>(query: CacheQuery<T>, value: T, ageMs: number, refresh: () => void): CacheEntry {
      const { resource, key } = query;
      const cached = entries.peek(key);
      const tags = [resource, ...query.tags(value)];
      // To compare a large value takes longer than to load it.
      const { digest, bytes } = cached?.value === value ? cached : measureValue(key, value, tags);
      return {
        resource,
        refresh,
        value,
        tags,
        digest,
        version: cached?.digest === digest ? cached.version : ++versions,
        storedAt: clock.monotonic() - ageMs,
        jitter: 1 + (random() * 2 - 1) * JITTER,
        bytes,
        softPurgedAt: null,
      };
    },

    /** Returns the keys of the entries that a purge names. */
    find({ tags = [], keys = [], all = false }: Purge): Set<string> {
      if (all) return new Set(entries.keys());
      const found = new Set(keys.filter((key) => entries.has(key)));
      for (const tag of tags) for (const key of keysByTag.get(tag) ?? []) found.add(key);
      return found;
    },

    /**
     * Yields the entries for a snapshot, most recently used first, without those that are evicted meanwhile and those whose
     * keys have what readers typed. Behind more of those than it has entries, others come by resource, last stored first.
     * May be iterated in pieces.
     */
    *snapshot(): Generator<SnapshotEntry> {
      const now = clock.monotonic();
      const keys = new Set<string>();
      let listed = 0;
      for (const [key, { resource }] of entries.entries()) {
        if (UNTYPED.includes(resource)) keys.add(key);
        if (++listed === MAX_SNAPSHOT_ENTRIES) break;
      }
      // All that was used lately may have been typed.
      const isAllListed = listed === entries.size || keys.size === MAX_SNAPSHOT_ENTRIES;
      for (const resource of isAllListed ? [] : UNTYPED)
        for (const key of [...(keysByTag.get(resource) ?? [])].reverse()) {
          if (keys.size === MAX_SNAPSHOT_ENTRIES) break;
          keys.add(key);
        }
      for (const key of keys) {
        const entry = entries.peek(key);
        if (entry) yield toSnapshotEntry(key, entry, now);
      }
    },

    /** Returns the entry of a snapshot taken `elapsedMs` ago, not stored. */
    fromSnapshot: (saved: SnapshotEntry, elapsedMs: number): CacheEntry =>
      fromSnapshotEntry(saved, ++versions, clock.monotonic(), elapsedMs),
  };
}

export type EntryStore = ReturnType<typeof createEntryStore>;
