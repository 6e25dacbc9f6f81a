import { LRUCache } from 'lru-cache';
import { type CacheOutcome, secondsOfTtl } from '#server/cache/cache-status.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { type Dependency, DependencyTracker } from '#server/cache/dependency-tracker.ts';
import type { Validity } from '#server/cache/response-validity.ts';
import type { CachedResponse } from './cached-response.ts';
import { createHitCounter, type HitCounter } from './hit-counter.ts';
import { type CheckedResponse, createFreshness } from './response-freshness.ts';

/** A page that misses data may be served this long, then it is made again (architecture, Laws). */
const INCOMPLETE_MS = 5_000;

/** What a build makes: bytes to keep, or a word for this request alone (a redirect, or that there is no such page). */
export type Built<Extra> =
  /** `renderMs`: what of the build was drawing. */
  | { kind: 'response'; response: CachedResponse; extra: Extra; renderMs?: number }
  | { kind: 'redirect'; location: string }
  | { kind: 'not-found' };

/** An answer as it goes out, and what the cache did for it. */
export type Served<Extra> = Built<Extra> & { outcome: CacheOutcome };

/** An answer that is kept: never a word for one request alone. */
export type CachedLookUp<Extra> = Served<Extra> & { kind: 'response' };

interface Entry<Extra> extends CheckedResponse {
  built: Built<Extra> & { kind: 'response' };
  dependencies: Dependency[];
  complete: boolean;
  /** Asked besides `keptUntil`, because it may end early: when the wall clock is set, for one. */
  validity: Validity | null;
}

/** A response that is being made, and the readers who wait for it besides the first. */
interface Build<Extra> {
  made: Promise<Served<Extra>>;
  joined: number;
}

/** What the cache knows of one address. */
export type ExplainedPage =
  | {
      cached: true;
      state: 'fresh' | 'stale';
      /** Negative: stale since. */
      freshSeconds: number;
      /** False: a block of it is missing, so that it is short-lived. */
      complete: boolean;
      bytes: number;
      dependencies: readonly Dependency[];
    }
  | { cached: false; last: UncachedResponse | null };

/** The last answer of an address whose answer is not kept. */
export interface UncachedResponse {
  /** 302 for a redirect, 404 for no such page. */
  status: number;
  location: string | null;
  secondsAgo: number;
  complete: boolean;
  /** What could be had of its data. */
  dependencies: readonly Dependency[];
}

/** Addresses whose unkept answer is remembered. */
const UNKEPT = 500;

interface Unkept extends Omit<UncachedResponse, 'secondsAgo'> {
  /** Monotonic milliseconds. */
  at: number;
  /** The data without which there is no such page: as long as the upstream's no is believed, nothing is built. */
  denied: string | null;
}

export interface ResponseCacheOptions {
  content: ContentCache;
  maxBytes: number;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Counts the readers of answers that stand. */
  readers?: HitCounter;
}

/**
 * Finished answers under their canonical address. An answer lives as long as the data it was made of is the same:
 * while that is fresh, a look-up is all; then its dependencies are compared by version, and only a change makes it
 * anew. One build per key, however many wait.
 */
export function createResponseCache<Extra>({
  content,
  maxBytes,
  clock,
  readers = createHitCounter(content),
}: ResponseCacheOptions) {
  const entries = new LRUCache<string, Entry<Extra>>({
    maxSize: maxBytes,
    sizeCalculation: ({ built, dependencies }, key) =>
      built.response.bytes + key.length + dependencies.length * 100 + 500,
    dispose: ({ dependencies }, key) => forget(key, dependencies),
  });
  const dependents = new Map<string, Set<string>>();
  const builds = new Map<string, Build<Extra>>();
  const freshness = createFreshness({ content, readers });
  let served = 0;
  let made = 0;

  const unkept = new LRUCache<string, Unkept>({ max: UNKEPT });
  let reviews = 0;

  content.onBeforeStats(readers.credit);
  content.onFreshnessChange(lookAgain);
  content.onPurge(() => {
    // Who comes after it waits for a page of new data, not for one that may have read the old.
    builds.clear();
    // What it means may have been pushed out of memory, so that nobody knows which pages hold it.
    lookAgain();
  });

  content.onChange((keys) => {
    for (const key of keys) {
      for (const page of dependents.get(key) ?? []) markChanged(page);
    }
  });

  function lookAgain(): void {
    reviews++;
    for (const entry of entries.values()) entry.checkAt = 0;
  }

  function markChanged(page: string): void {
    const entry = entries.peek(page);
    if (entry) entry.checkAt = 0;
  }

  function forget(page: string, dependencies: Dependency[]): void {
    for (const { key } of dependencies) {
      const pages = dependents.get(key);
      pages?.delete(page);
      if (pages?.size === 0) dependents.delete(key);
    }
  }

  function keep(page: string, entry: Entry<Extra>): void {
    entries.delete(page);
    entries.set(page, entry);
    if (!entries.has(page)) return;
    for (const { key } of entry.dependencies) {
      const pages = dependents.get(key) ?? new Set();
      dependents.set(key, pages.add(page));
    }
  }

  /** What stands for `key` without any work, or null: the whole of a warm request. */
  function cached(key: string): CachedLookUp<Extra> | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const now = clock();
    if (!freshness.mayBeServed(entry, now)) return null;
    if (entry.validity !== null && entry.validity() <= 0) return null;
    readers.count(entry, now);
    served++;
    return {
      ...entry.built,
      outcome: { forward: null, ttl: secondsOfTtl(entry.freshUntil - now), took: null },
    };
  }

  /** What is known of an address that the upstream denied a moment ago, or null. */
  function absent(key: string): Served<Extra> | null {
    const denied = unkept.get(key)?.denied;
    const forMs = typeof denied === 'string' ? content.absentForMs(denied) : 0;
    if (forMs === 0) return null;
    return { kind: 'not-found', outcome: { forward: null, ttl: secondsOfTtl(forMs), took: null } };
  }

  async function make(
    key: string,
    build: (tracker: DependencyTracker) => Promise<Built<Extra>>,
    tracker: DependencyTracker,
  ): Promise<Served<Extra>> {
    const reviewed = reviews;
    const started = clock();
    const built = await build(tracker);
    const now = clock();
    // What is late for its block is still read, and is no part of this page.
    const dependencies = [...tracker.dependencies];
    const { complete } = tracker;
    const { freshForMs } = tracker.freshness(now);
    // Of pages only the not-found page has 404: one response for all unknown addresses.
    const isKept = built.kind === 'response' && built.response.status !== 503;
    if (isKept) {
      const validForMs = tracker.validity?.() ?? Number.POSITIVE_INFINITY;
      const keptUntil = now + (complete ? validForMs : Math.min(validForMs, INCOMPLETE_MS));
      keep(key, {
        ...freshness.known(content.check(dependencies), keptUntil, now),
        // What changed while the page was being made was announced before the page stood here.
        ...(reviewed !== reviews && { checkAt: now }),
        built,
        dependencies,
        complete,
        validity: tracker.validity,
        keptUntil,
        readers: 0,
      });
      unkept.delete(key);
    } else {
      unkept.set(key, {
        denied: built.kind === 'not-found' ? tracker.absentKey : null,
        status: statusOf(built),
        location: built.kind === 'redirect' ? built.location : null,
        at: now,
        complete,
        dependencies,
      });
    }
    return {
      ...built,
      outcome: {
        // An error or a redirect is no hit, although nobody may have been asked for it.
        forward: tracker.forward ?? (isKept ? null : 'miss'),
        ttl: secondsOfTtl(complete ? freshForMs : Math.min(freshForMs, INCOMPLETE_MS)),
        took: { all: now - started, render: (built.kind === 'response' && built.renderMs) || null },
      },
    };
  }

  function begin(key: string, build: (tracker: DependencyTracker) => Promise<Built<Extra>>): Build<Extra> {
    const tracker = new DependencyTracker();
    const begun: Build<Extra> = {
      joined: 0,
      made: make(key, build, tracker).finally(() => {
        if (builds.get(key) === begun) builds.delete(key);
        // The first was counted with each read.
        if (begun.joined > 0) content.countReads(tracker.dependencies, tracker, begun.joined, clock());
      }),
    };
    builds.set(key, begun);
    made++;
    return begun;
  }

  return {
    cached,
    /** The standing answer, or one made by `build`. Rejects with what `build` rejects with. */
    async get(
      key: string,
      build: (tracker: DependencyTracker) => Promise<Built<Extra>>,
    ): Promise<Served<Extra>> {
      const cachedResponse = cached(key);
      if (cachedResponse) return cachedResponse;
      const missing = absent(key);
      if (missing) return missing;
      served++;
      const running = builds.get(key);
      if (running) {
        running.joined++;
        return running.made;
      }
      return begin(key, build).made;
    },
    /** What stands under an address, or how it was answered last. No reader is counted. */
    explain(key: string): ExplainedPage {
      const now = clock();
      const entry = entries.peek(key);
      if (!entry) {
        const last = unkept.peek(key);
        if (!last) return { cached: false, last: null };
        const { at, denied: _, ...response } = last;
        return { cached: false, last: { ...response, secondsAgo: Math.round((now - at) / 1000) } };
      }
      const { built, dependencies, complete, keptUntil } = entry;
      const freshForMs = Math.min(content.freshFor(dependencies) ?? 0, keptUntil - now);
      return {
        cached: true,
        state: freshForMs > 0 ? 'fresh' : 'stale',
        freshSeconds: Math.round(freshForMs / 1000),
        complete,
        bytes: built.response.bytes,
        dependencies,
      };
    },
    /** Addresses of pages that stand, at most `most`, the one asked for last first. */
    recentPages(most: number): string[] {
      return [...entries.keys()].filter((key) => key.startsWith('/')).slice(0, most);
    },
    /** Drops a cached response. False where there is none. */
    drop: (key: string): boolean => entries.delete(key),
    /** Responses asked for since the start, and of them those that were made for who asked. */
    counts: () => ({ served, made }),
    /** Bytes held by cached responses. */
    get bytes() {
      return entries.calculatedSize;
    },
    get entries() {
      return entries.size;
    },
  };
}

function statusOf(built: Built<unknown>): number {
  if (built.kind === 'response') return built.response.status;
  return built.kind === 'redirect' ? 302 : 404;
}

export type ResponseCache<Extra> = ReturnType<typeof createResponseCache<Extra>>;
