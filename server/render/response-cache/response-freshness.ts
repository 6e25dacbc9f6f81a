import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyCheck } from '#server/cache/dependencies/dependency-check.ts';
import type { Validity } from '#server/cache/dependencies/dependency-tracker.ts';
import type { CountedResponse, HitCounter } from './hit-counter.ts';

/** How often the dependencies of a stale response are checked while its data is being refreshed. */
const RECHECK_MS = 50;

/** State of a cached response's data. Times are monotonic milliseconds. */
export interface ResponseFreshness extends Pick<CountedResponse, 'stale'> {
  /** When the first of its data goes stale. */
  freshUntil: number;
  /**
   * Until then it is served without a check of its dependencies, unless something has changed or it is stale and a load has
   * ended since.
   */
  checkAt: number;
  /** The content cache's count of stored values at the last check. */
  stores: number;
  /** The count of changes at the last check. */
  changes: number;
}

/** A cached response. */
export interface CheckedResponse extends ResponseFreshness, CountedResponse {
  /** The response ends then, even if its data has not changed. */
  keptUntil: number;
  /** Checked in addition to `keptUntil`, because it may end early: when the wall clock is set, for one. */
  validity: Validity | null;
}

export interface ResponseFreshnessDeps {
  content: Pick<ContentCache, 'check' | 'stores' | 'onChange' | 'onFreshnessChange' | 'onPurge'>;
  hitCounter: Pick<HitCounter, 'creditOne'>;
}

/**
 * Tells whether cached responses may be served, and checks their dependencies only when these may have changed. A change of
 * any value has each response checked once: changes are rare, and a check is some look-ups.
 */
export function createResponseFreshness({ content, hitCounter }: ResponseFreshnessDeps) {
  let changes = 0;
  const countChange = () => {
    changes++;
  };
  content.onChange(countChange);
  content.onFreshnessChange(countChange);
  content.onPurge(countChange);

  /** Returns the freshness that follows from a check of a response's dependencies. */
  function freshnessOf(found: DependencyCheck, keptUntil: number, now: number): ResponseFreshness {
    const { freshForMs, sameForMs, stale } = found;
    const nextCheckMs = stale.size > 0 ? Math.min(sameForMs, RECHECK_MS) : sameForMs;
    return {
      stale,
      freshUntil: Math.min(now + freshForMs, keptUntil),
      checkAt: Math.min(now + nextCheckMs, keptUntil),
      stores: content.stores(),
      changes,
    };
  }

  /**
   * Whether a cached response may be served: it has not ended by itself; nothing can have changed since its last check, or
   * all it was built from is the same and would be read without a wait. Starts the background refresh of stale data.
   */
  function mayBeServed(response: CheckedResponse, now: number): boolean {
    const { keptUntil, validity, checkAt, freshUntil, stores, dependencies } = response;
    if (now >= keptUntil || (validity !== null && validity() <= 0)) return false;

    const isUntouched = response.changes === changes && now < checkAt;
    if (isUntouched && (now < freshUntil || stores === content.stores())) return true;

    hitCounter.creditOne(response);
    const found = content.check(dependencies);
    if (!found.unchanged) return false;
    Object.assign(response, freshnessOf(found, keptUntil, now));
    return true;
  }

  return {
    freshnessOf,
    /** Changes of values, policies and mode, and purges, since the start. */
    changes: () => changes,
    mayBeServed,
  };
}
