import { LRUCache } from 'lru-cache';
import type { AccessRing } from '#server/cache/access-ring.ts';
import type { CacheEntry } from '#server/cache/cache-entry.ts';
import type { LoadFailure, NewValue, Purge } from '#server/cache/cache-events.ts';
import type { CacheMode } from '#server/cache/cache-mode.ts';
import { Absent, type CacheQuery, storedValue } from '#server/cache/cache-query.ts';
import type { EntryStore } from '#server/cache/entry-store.ts';
import type { Freshness } from '#server/cache/freshness.ts';
import type { Policies } from '#server/cache/policies.ts';
import type { ResourceStatsCounter } from '#server/cache/resource-stats.ts';
import { after, type Clock } from '#server/time.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import { CONFIRM_MS, createAbsenceCheck, UnconfirmedAbsence } from './absence-check.ts';
import { createBackgroundRefresh } from './background-refresh.ts';
import { createFailureCache } from './failure-cache.ts';
import { createSingleFlight, type Load } from './single-flight.ts';

const MAX_PURGED_DIGESTS = 5_000;
/** Another instance's value is younger by more than this (ms): what this one has stored itself may be by less. */
const STORE_MS = 500;

/** A loaded value and its age. */
export interface Loaded<T> {
  value: T;
  ageMs: number;
}

/** The second-level cache (L2) that several instances share. Nothing of it rejects. */
export interface SecondLevel {
  /** Resolves with the value that an instance has loaded, of any age, or null. Readers wait for it. */
  get(key: string): Promise<Loaded<unknown> | null>;
  /** Stores a value that was just loaded, for `keptMs`. Callers do not wait for it. `stamp`: what `stamp()` returned before the load. */
  set(key: string, value: unknown, keptMs: number, stamp: string | null): void;
  /** Returns the stamp for `set` of a load that begins now. A purge changes it: values with another one count as missing. */
  stamp(): string | null;
  /** Deletes a value that the upstream does not have any more. */
  delete(key: string): void;
}

export interface CacheLoaderOptions {
  store: EntryStore;
  policies: Policies;
  freshness: Freshness;
  mode: CacheMode;
  /** Null for a single instance. */
  secondLevel: SecondLevel | null;
  accessRing: Pick<AccessRing, 'changed'>;
  count: ResourceStatsCounter['count'];
  clock: Clock;
  tracing: Pick<Tracing, 'child' | 'later' | 'current'>;
  logger: { warn(about: object, message: string): void };
  /** Called with a key whose value changed upstream, or is absent there now. */
  onNewValue(change: NewValue): void;
  /** Called with each load that failed; an absence is no failure. */
  onFailure(failure: LoadFailure): void;
}

/**
 * Creates the loads of the content cache: single-flight, the second level, background refreshes, and what becomes of an
 * entry when its load fails (it stays) or finds nothing (it goes once that is confirmed).
 */
export function createCacheLoader(options: CacheLoaderOptions) {
  const { store, policies, freshness, mode, secondLevel, accessRing, count, clock, tracing } = options;
  const { logger, onNewValue, onFailure } = options;
  const failureCache = createFailureCache(clock);
  const loads = createSingleFlight<CacheEntry>(clock, tracing);
  const secondLevelReads = createSingleFlight<Loaded<unknown> | null>(clock, tracing);
  const refreshes = createBackgroundRefresh();
  const absence = createAbsenceCheck({ clock, store, usable, putBack, logger });
  /**
   * Digests of purged values, to tell after the next load whether the value has changed: the CDN may have been sent the old
   * one after it was purged, by an instance that was told of the purge a moment later.
   */
  const purgedDigests = new LRUCache<string, string>({ max: MAX_PURGED_DIGESTS });

  /** Reports a digest other than that of the last known value. `digest`: null where the key is absent upstream. */
  function reportNewValue(key: string, cached: CacheEntry | undefined, digest: string | null): void {
    const before = cached?.digest ?? purgedDigests.get(key);
    purgedDigests.delete(key);
    if (before !== undefined && before !== digest) onNewValue({ key, tagsBefore: cached?.tags ?? [] });
  }

  function putBack(key: string, entry: CacheEntry): void {
    store.set(key, entry);
    failureCache.forget(key);
    onNewValue({ key, tagsBefore: entry.tags });
  }

  /** Returns the cached entry of a key; null where there is none, or none that may still be served to anybody. */
  function usable(key: string): CacheEntry | null {
    const cached = store.peek(key);
    return cached && freshness.stateOf(cached, clock.monotonic()) !== 'expired' ? cached : null;
  }

  function createEntry<T>(query: CacheQuery<T>, value: T, ageMs: number): CacheEntry {
    return store.createEntry(query, value, ageMs, () => refresh(query));
  }

  function storeValue<T>(query: CacheQuery<T>, value: T, ageMs: number): CacheEntry {
    const { key, resource, isEmpty = () => false } = query;
    const cached = store.peek(key);
    const before = usable(key);
    if (!isEmpty(value)) absence.brought(key);
    else if (before && !isEmpty(storedValue(before, query))) {
      if (value === null) throw new Absent();
      absence.emptied(key, before);
    }
    const entry = createEntry(query, value, ageMs);
    store.set(key, entry);
    reportNewValue(key, cached, entry.digest);
    if (cached && cached.version !== entry.version)
      accessRing.changed(resource, key, cached.storedAt, entry.storedAt);
    return entry;
  }

  /** Joins the load in flight or starts one. `cold`: no cached value can be served instead. */
  function load<T>(query: CacheQuery<T>, cold: boolean): Promise<CacheEntry> {
    return loads.run(query.key, (current) => performLoad(query, cold, current));
  }

  async function performLoad<T>(query: CacheQuery<T>, cold: boolean, current: Load): Promise<CacheEntry> {
    const stamp = secondLevel?.stamp() ?? null;
    try {
      const { value, ageMs } = await loadValue(query, cold);
      // It may have another post than the cached value by whose tags the purge did not find the key.
      current.isOutdated ||= query.tags(value).some((tag) => current.purgedTags.has(tag));
      if (current.isOutdated) return createEntry(query, value, ageMs);
      const entry = storeValue(query, value, ageMs);
      if (ageMs === 0) secondLevel?.set(query.key, value, keptMs(query.resource), stamp);
      failureCache.forget(query.key);
      return entry;
    } catch (error) {
      // The purge may be about exactly this: what was absent before it may exist now.
      if (current.isOutdated && error instanceof Absent) throw error;
      throw failed(query, error);
    }
  }

  /** Loads a value: a newer one of another instance, else the upstream's. For a cold load there is no other instance's. */
  async function loadValue<T>(query: CacheQuery<T>, cold: boolean): Promise<Loaded<T>> {
    const { key, resource } = query;
    if (secondLevel && !cold && mode.name() !== 'bypass') {
      const found = await secondLevelReads.run(key, () => secondLevel.get(key));
      const maxAgeMs = Math.min(policies.get(resource).ttl * 1000, newerThanMs(store.peek(key)));
      if (found && found.ageMs < maxAgeMs) return { value: storedValue(found, query), ageMs: found.ageMs };
    }
    const cached = store.peek(key);
    return { value: await query.load({ cold, cached: cached && storedValue(cached, query) }), ageMs: 0 };
  }

  /** Returns the age below which another instance's value is newer than the cached one, in milliseconds. */
  function newerThanMs(cached: CacheEntry | undefined): number {
    // After a soft purge any value that another instance has loaded since is newer.
    if (!cached || cached.softPurgedAt !== null) return Number.POSITIVE_INFINITY;
    return clock.monotonic() - cached.storedAt - STORE_MS;
  }

  /** Returns how long a value can be served at most, in milliseconds. */
  function keptMs(resource: Resource): number {
    const { ttl, swr, sie } = policies.get(resource);
    return (ttl + swr + sie) * 1000;
  }

  /** Records that a load failed or found nothing, which may not count (yet). Returns the error to reject with. */
  function failed<T>(query: CacheQuery<T>, cause: unknown): unknown {
    const { key, resource } = query;
    const error = cause instanceof Absent ? absence.absent(key) : cause;
    failureCache.remember(key, error, loads.elapsedMs(key));
    const cached = store.peek(key);
    if (error instanceof UnconfirmedAbsence) {
      after(CONFIRM_MS, () => queueRefresh(query, tracing.current()));
    } else if (error instanceof Absent) {
      secondLevel?.delete(key);
      store.delete(key);
      reportNewValue(key, cached, null);
    } else {
      if (cached) absence.failed(cached);
      count(resource, 'errors');
      onFailure({ key, error });
    }
    return error;
  }

  /** Queues a background refresh, unless the key is being loaded or its load has just failed. */
  function refresh<T>(query: CacheQuery<T>): void {
    const { key } = query;
    // What that brings is not stored.
    const outdated = loads.outdated(key);
    if (outdated) void outdated.then(() => refresh(query));
    else if (!loads.has(key) && !failureCache.recentFailure(key)) queueRefresh(query, tracing.current());
  }

  function queueRefresh<T>(query: CacheQuery<T>, causedBy: string | null): void {
    const { key, resource } = query;
    refreshes.add(key, async () => {
      // The cache may have been frozen while this was queued.
      if (mode.name() === 'freeze') return;
      count(resource, 'refreshes');
      // A failure is remembered by the load; the cached value stays. That the upstream has nothing is no failure.
      try {
        await tracing.later(`cache refresh ${resource}`, causedBy, () => load(query, false));
        count(resource, 'refreshSuccesses');
      } catch (error) {
        const isAbsent = error instanceof Absent || error instanceof UnconfirmedAbsence;
        count(resource, isAbsent ? 'refreshSuccesses' : 'refreshErrors');
      }
    });
  }

  /** Resolves with another instance's value, which is cached, or with null where there is none that may be served. */
  async function readSecondLevel<T>(query: CacheQuery<T>): Promise<CacheEntry | null> {
    const { key } = query;
    if (!secondLevel) return null;
    const found = await secondLevelReads.run(key, () => secondLevel.get(key));
    const known = usable(key);
    if (known || !found) return known;
    const cached = store.peek(key);
    const entry = createEntry(query, storedValue(found, query), found.ageMs);
    if (freshness.stateOf(entry, clock.monotonic()) === 'expired') return null;
    store.set(key, entry);
    reportNewValue(key, cached, entry.digest);
    return entry;
  }

  return {
    loads,
    failureCache,
    refreshes,
    usable,
    load,
    refresh,
    /** Null without a second level: a reader of a missing key then waits for nothing before its load. */
    readSecondLevel: secondLevel && readSecondLevel,
    isMissingContent: absence.isMissingContent,

    /** To be called before each purge. `found`: the keys of the entries that it names. */
    purged(purge: Purge, found: ReadonlySet<string>, mayBePurged: (key: string) => boolean): void {
      loads.purged(purge.tags ?? [], mayBePurged);
      // What failed or was absent a moment ago may be there by now: that may be why it is purged.
      failureCache.forgetMatching(mayBePurged);
      absence.purged(purge, found);
      if (purge.soft) return;
      for (const key of found) {
        const entry = store.peek(key);
        if (entry) purgedDigests.set(key, entry.digest);
      }
    },
  };
}
