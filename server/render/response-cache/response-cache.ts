import { LRUCache } from 'lru-cache';
import { type CacheOutcome, secondsOfTtl } from '#server/cache/cache-status.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyCheck } from '#server/cache/dependencies/dependency-check.ts';
import { type Dependency, DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { waitFor } from '#server/cache/loading/single-flight.ts';
import { Overloaded } from '#server/errors.ts';
import { after, type Clock } from '#server/time.ts';
import { NO_TRACING, type Tracing } from '#server/tracing/tracing.ts';
import { type CachedResponse, createIdentityBodies } from './encoded-bodies.ts';
import { type CountedResponse, createHitCounter } from './hit-counter.ts';

/** Size of an entry without its bodies, and of each of its dependencies with its key. Measured on the heap. */
const ENTRY_BYTES = 1_000;
const DEPENDENCY_BYTES = 150;

/** Share of the bound for uncompressed bodies. */
const IDENTITY_SHARE = 0.125;

/** A page without an optional section is fresh for so long (ms), then built again behind its readers. */
const INCOMPLETE_MS = 5_000;
/** It is served for so long (ms) at most: it may have been built long before its next reader comes. */
const INCOMPLETE_KEPT_MS = 2 * INCOMPLETE_MS;

/** How often the dependencies of a stale response are checked while its data is being refreshed, in milliseconds. */
const RECHECK_MS = 50;

/** A page that says that its data could not be loaded is built once in this time (ms), however many ask for it. */
const UNAVAILABLE_MS = 1_000;

type Build<Extra> = (tracker: DependencyTracker) => Promise<Built<Extra>>;

/** The result of a build: a response to cache, or a redirect or not-found for this request alone. */
export type Built<Extra> =
  | { kind: 'response'; response: CachedResponse; extra: Extra }
  | { kind: 'redirect'; location: string; status: 301 | 302 }
  | { kind: 'not-found' };

/** A result, and how the cache came by it. */
export type Served<Extra> = Built<Extra> & {
  outcome: CacheOutcome;
  /** The data it was built from. The same array for as long as the response is the same. */
  dependencies: readonly Dependency[];
  /** False: an optional section is missing, so that it is soon built again. */
  complete: boolean;
};

/** What the last check of a response's data has found. Times are monotonic milliseconds. */
interface CheckedFreshness extends Pick<CountedResponse, 'stale'> {
  /** When the first of its data goes stale. */
  freshUntil: number;
  /**
   * Until then it is served without a check of its dependencies, unless something has changed or it is stale and a load has
   * ended since.
   */
  checkAt: number;
  /** `entryChanges()` of the content cache, and the count of changes, at the check. */
  entryChanges: number;
  changes: number;
}

interface Entry<Extra> extends CheckedFreshness, CountedResponse {
  built: Built<Extra> & { kind: 'response' };
  /** When it was built where it is incomplete; infinity where it is complete. */
  incompleteSince: number;
  /** Whether a reader has waited for it or got it: else only a missing section that is there has it built again. */
  isAskedFor: boolean;
}

/** A running build, which concurrent requests share (single-flight). */
interface RunningBuild<Extra> {
  tracker: DependencyTracker;
  result: Promise<Served<Extra>>;
  /** The span that it began in; null where that is not sampled. */
  traceparent: string | null;
  /** Requests that wait for it besides the first. */
  coalesced: number;
}

/** What the cache knows of one URL: its response, or else the last result that was not cached. */
export interface ExplainedPage {
  cached: boolean;
  /** Null where it is not cached. */
  state: 'fresh' | 'stale' | null;
  /** Negative: stale since. Null where it is not cached. */
  freshSeconds: number | null;
  /** False: an optional section is missing. Null where nothing is known. */
  complete: boolean | null;
  bytes: number;
  /** 302 for a redirect, 404 for no such page. Null where it is cached or nothing is known. */
  lastResponse: { status: number; location: string | null; secondsAgo: number } | null;
  /** What it was built from; for a result that is not cached, those of its data that could be loaded. */
  dependencies: readonly Dependency[];
}

/** A URL of which nothing is known. */
export const UNKNOWN_PAGE: ExplainedPage = {
  cached: false,
  state: null,
  freshSeconds: null,
  complete: null,
  bytes: 0,
  lastResponse: null,
  dependencies: [],
};

/** URLs whose last result is remembered although it is not cached. Some of them are pages, of 20 kB. */
const MAX_UNCACHED = 200;

interface Uncached<Extra> {
  served: Served<Extra>;
  /** Monotonic milliseconds. */
  at: number;
  /** The count of changes when its build began. */
  changes: number;
  /** Key of the data whose absence made it not-found: while that is cached as absent, nothing is built. */
  absentKey: string | null;
}

export interface ResponseCacheOptions {
  content: ContentCache;
  maxBytes: number;
  clock: Clock;
  /** While true nothing is built: requests that would need it reject with `Overloaded`. Default: never. */
  isOverloaded?: () => boolean;
  tracing?: Pick<Tracing, 'child' | 'current'>;
  logger?: { warn(about: object, message: string): void };
}

/**
 * Returns the key of a feed, a sitemap or a calendar, by its canonical path: the front cache does not find it, as
 * its route has more to do.
 */
export function feedKey(path: string): string {
  return `feed ${path}`;
}

/**
 * Response cache: responses that are ready to send. The key of a page and of an API call is its canonical target, by
 * which the front cache finds it. A response is valid as long as the data it was built from is the same: while that is
 * fresh, a look-up is enough; then its dependencies are compared by version, and only a change causes a new build.
 * Concurrent builds of one key are coalesced (single-flight). An incomplete response is served for some seconds, while it
 * is built again in the background.
 */
export function createResponseCache<Extra>(options: ResponseCacheOptions) {
  const { content, maxBytes, clock, isOverloaded = () => false, tracing = NO_TRACING, logger } = options;
  const maxIdentityBytes = Math.ceil(maxBytes * IDENTITY_SHARE);
  const entries = new LRUCache<string, Entry<Extra>>({
    maxSize: maxBytes - maxIdentityBytes,
    sizeCalculation: ({ built, dependencies }, key) =>
      built.response.bytes + key.length + dependencies.length * DEPENDENCY_BYTES + ENTRY_BYTES,
  });
  const identityBodies = createIdentityBodies(maxIdentityBytes);
  const builds = new Map<string, RunningBuild<Extra>>();
  let isStopped = false;
  const hitCounter = createHitCounter(content);
  /** Count of changes of values, policies and the mode, and of purges. Each of these rare events has all responses checked. */
  let changes = 0;
  const countChange = (): void => void changes++;

  const uncached = new LRUCache<string, Uncached<Extra>>({ max: MAX_UNCACHED });

  content.onBeforeStats(hitCounter.credit);
  content.onNewValue(countChange);
  content.onFreshnessChange(countChange);
  content.onPurge(({ mayBePurged }) => {
    countChange();
    // Later requests must not share a build that may have read the purged data.
    for (const [key, { tracker }] of builds) if ([...tracker.keys].some(mayBePurged)) builds.delete(key);
  });

  /**
   * Whether a cached response may be served; nothing else decides it. One that is incomplete for too long may not. Any other
   * may where nothing can have changed since its last check, or where all that it was built from is the same and would be
   * read without a wait. Starts the background refresh of stale data.
   */
  function mayBeServed(key: string, entry: Entry<Extra>, now: number): boolean {
    const { incompleteSince, checkAt, freshUntil, entryChanges, dependencies } = entry;
    // Unless another is being built, or cannot be.
    const isLongIncomplete = now >= incompleteSince + INCOMPLETE_KEPT_MS;
    if (isLongIncomplete && !builds.has(key) && !isOverloaded()) return false;

    const isUntouched = entry.changes === changes && now < checkAt;
    if (isUntouched && (now < freshUntil || entryChanges === content.entryChanges())) return true;

    hitCounter.creditOne(entry);
    const found = content.check(dependencies);
    if (!found.unchanged) return false;
    Object.assign(entry, freshnessOf(found, now));
    return true;
  }

  /** Returns what follows from a check of a response's dependencies. */
  function freshnessOf({ freshForMs, sameForMs, stale }: DependencyCheck, now: number): CheckedFreshness {
    const nextCheckMs = stale.size > 0 ? Math.min(sameForMs, RECHECK_MS) : sameForMs;
    return {
      stale,
      freshUntil: now + freshForMs,
      checkAt: now + nextCheckMs,
      entryChanges: content.entryChanges(),
      changes,
    };
  }

  const isComplete = ({ incompleteSince }: Entry<Extra>) => incompleteSince === Number.POSITIVE_INFINITY;

  /** Returns for how long a response is fresh whose data is so for `dataForMs`; negative: stale since. */
  function freshForMs({ incompleteSince }: Entry<Extra>, dataForMs: number, now: number): number {
    return Math.min(dataForMs, incompleteSince + INCOMPLETE_MS - now);
  }

  /** Returns the cached response of a key, or null. Counts a hit. */
  function cached(key: string): (Served<Extra> & { kind: 'response' }) | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const now = clock.monotonic();
    if (!mayBeServed(key, entry, now)) return null;
    entry.isAskedFor = true;
    hitCounter.count(entry, now);
    return {
      ...entry.built,
      outcome: { forward: null, ttl: secondsOfTtl(freshForMs(entry, entry.freshUntil - now, now)) },
      dependencies: entry.dependencies,
      complete: isComplete(entry),
    };
  }

  /**
   * Returns the last result of a URL where a build would come to the same, or null: not-found whose data is cached as absent
   * (negative caching), or the page of a moment ago that says that its data could not be loaded.
   */
  function lastUncached(key: string): Served<Extra> | null {
    const last = uncached.get(key);
    if (!last) return null;
    const { served, absentKey } = last;
    if (served.kind === 'response') {
      const isHeld = last.changes === changes && clock.monotonic() - last.at < UNAVAILABLE_MS;
      return isHeld && content.mode.name() !== 'bypass' ? served : null;
    }
    const forMs = absentKey === null ? 0 : content.absentForMs(absentKey);
    if (forMs === 0) return null;
    const outcome: CacheOutcome = { forward: null, ttl: secondsOfTtl(forMs) };
    return { kind: 'not-found', outcome, dependencies: [], complete: true };
  }

  async function runBuild(
    key: string,
    build: Build<Extra>,
    tracker: DependencyTracker,
    isAskedFor: boolean,
  ): Promise<Served<Extra>> {
    const changesBefore = changes;
    const result = await build(tracker);
    const now = clock.monotonic();
    // A copy: data of a section that missed its deadline may still arrive, and is not part of this page.
    const dependencies = [...tracker.dependencies];
    const { complete } = tracker;
    const dataForMs = tracker.freshForMs(now);
    // A 404 is cached as well: only the not-found page has it, one response for all unknown URLs.
    const isCacheable = result.kind === 'response' && result.response.status !== 503;
    const outcome: CacheOutcome = {
      // An error or a redirect is never a hit, although the upstream may not have been called for it.
      forward: tracker.forward ?? (isCacheable ? null : 'miss'),
      ttl: secondsOfTtl(complete ? dataForMs : Math.min(dataForMs, INCOMPLETE_MS)),
    };
    const served: Served<Extra> = { ...result, dependencies, complete, outcome };
    // A purge or `clear` has dropped the build meanwhile.
    if (builds.get(key)?.tracker !== tracker) return served;
    if (isCacheable) {
      const entry: Entry<Extra> = {
        ...freshnessOf(content.check(dependencies), now),
        // Those during the build may concern it.
        changes: changesBefore,
        built: result,
        dependencies,
        incompleteSince: complete ? Number.POSITIVE_INFINITY : now,
        isAskedFor,
        hits: 0,
      };
      entries.set(key, entry);
      uncached.delete(key);
      if (!complete) rebuildLater(key, entry, build, tracker.late);
    } else {
      const absentKey = result.kind === 'not-found' ? tracker.absentKey : null;
      uncached.set(key, { served, at: now, changes: changesBefore, absentKey });
    }
    return served;
  }

  /**
   * Builds an incomplete response again as soon as a missing section is there, and once it is no longer fresh: what the
   * next reader gets is complete soon after the upstream is back. Nobody's page is not built again and again.
   */
  function rebuildLater(
    key: string,
    entry: Entry<Extra>,
    build: Build<Extra>,
    late: readonly Promise<unknown>[],
  ): void {
    // Not of the entry: a build may hold the request that it was for.
    const again = () => rebuild(key, entry, build);
    for (const section of late) section.then(again).catch(() => undefined);
    after(INCOMPLETE_MS, () => entry.isAskedFor && again());
  }

  /** Builds a cached response again, which is served meanwhile, unless it was replaced. */
  function rebuild(key: string, entry: Entry<Extra>, build: Build<Extra>): void {
    if (isStopped || entries.peek(key) !== entry || builds.has(key) || isOverloaded()) return;
    startBuild(key, build, false).result.catch((err: unknown) => {
      if (!isStopped) logger?.warn({ err }, 'an incomplete page could not be built again');
    });
  }

  /** `isAskedFor`: false for a build that no reader waits for. */
  function startBuild(key: string, build: Build<Extra>, isAskedFor: boolean): RunningBuild<Extra> {
    const tracker = new DependencyTracker();
    const started: RunningBuild<Extra> = {
      tracker,
      coalesced: 0,
      traceparent: tracing.current(),
      result: runBuild(key, build, tracker, isAskedFor).finally(() => {
        if (builds.get(key) === started) builds.delete(key);
        // The first request was counted by its reads.
        if (started.coalesced > 0)
          content.countReads(tracker.dependencies, tracker, started.coalesced, clock.monotonic());
      }),
    };
    builds.set(key, started);
    return started;
  }

  return {
    cached,
    /**
     * Returns the cached response, or the result of `build`. Rejects with what `build` rejects with, or with `Overloaded`
     * where it would have to be run and the server is overloaded.
     */
    get(key: string, build: Build<Extra>): Promise<Served<Extra>> {
      return tracing.child('response cache get', {}, async (span) => {
        const known = cached(key) ?? lastUncached(key);
        const running = known ? undefined : builds.get(key);
        span.setAttributes({ 'cache.result': known ? 'hit' : running ? 'coalesced' : 'miss' });
        if (known) return known;
        if (!running && isOverloaded()) throw new Overloaded();
        if (!running) return startBuild(key, build, true).result;
        running.coalesced++;
        return waitFor(running, tracing);
      });
    },
    /** Describes the entry of a URL, or its last result. Counts no hit. */
    explain(key: string): ExplainedPage {
      const now = clock.monotonic();
      const entry = entries.peek(key);
      const last = uncached.peek(key);
      if (entry) {
        const { built, dependencies } = entry;
        const complete = isComplete(entry);
        const forMs = freshForMs(entry, content.freshFor(dependencies) ?? 0, now);
        const state = forMs > 0 ? 'fresh' : 'stale';
        const { bytes } = built.response;
        const freshSeconds = Math.round(forMs / 1000);
        return { ...UNKNOWN_PAGE, cached: true, state, freshSeconds, complete, bytes, dependencies };
      }
      if (!last) return UNKNOWN_PAGE;
      const { complete, dependencies } = last.served;
      const location = last.served.kind === 'redirect' ? last.served.location : null;
      const secondsAgo = Math.round((now - last.at) / 1000);
      const lastResponse = { status: statusOf(last.served), location, secondsAgo };
      return { ...UNKNOWN_PAGE, complete, lastResponse, dependencies };
    },
    /** Drops all cached responses: what every page is made with has changed. Resolves once the builds of before have ended. */
    async clear(): Promise<void> {
      const ofBefore = [...builds.values()].map(({ result }) => result);
      builds.clear();
      entries.clear();
      uncached.clear();
      await Promise.allSettled(ofBefore);
    },
    /** Builds nothing more that no request asks for, and says nothing of such a build that is cut: the process is ending. */
    stop(): void {
      isStopped = true;
    },
    /** Drops a cached response. False where there is none. */
    drop: (key: string): boolean => entries.delete(key),
    identityBody: identityBodies.get,
    /** Yields what each cached response was built from. May be iterated in pieces. */
    *dependencies(): Generator<{ key: string; dependencies: readonly Dependency[] }> {
      for (const key of [...entries.keys()]) {
        const entry = entries.peek(key);
        if (entry) yield { key, dependencies: entry.dependencies };
      }
    },
    get bytes() {
      return entries.calculatedSize + identityBodies.bytes;
    },
    get entries() {
      return entries.size;
    },
  };
}

function statusOf(built: Built<unknown>): number {
  if (built.kind === 'response') return built.response.status;
  return built.kind === 'redirect' ? built.status : 404;
}

export type ResponseCache<Extra> = ReturnType<typeof createResponseCache<Extra>>;
