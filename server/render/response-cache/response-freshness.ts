import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyCheck } from '#server/cache/dependencies/dependency-check.ts';
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
  /** The response is rebuilt after this, even if its data has not changed. */
  keptUntil: number;
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

  function recheck(response: CheckedResponse, now: number): boolean {
    hitCounter.creditOne(response);
    if (now >= response.keptUntil) return false;
    const found = content.check(response.dependencies);
    if (!found.unchanged) return false;
    Object.assign(response, freshnessOf(found, response.keptUntil, now));
    return true;
  }

  return {
    freshnessOf,

    /** Changes of values, policies and mode, and purges, since the start. */
    changes: () => changes,

    /** Whether a cached response may be served. Starts the background refresh of stale data. */
    mayBeServed(response: CheckedResponse, now: number): boolean {
      const { checkAt, freshUntil, stores } = response;
      const isCurrent = response.changes === changes && now < checkAt;
      const isKnown = isCurrent && (now < freshUntil || stores === content.stores());
      return isKnown || recheck(response, now);
    },
  };
}
