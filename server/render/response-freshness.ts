import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyCheck } from '#server/cache/dependency-check.ts';
import type { HitCounter, ReadResponse } from './hit-counter.ts';

/** While a response is stale and its data is being refreshed, its dependencies are looked at this often. */
const RECHECK_MS = 50;

/** What is known of a cached response's data. Moments are monotonic milliseconds. */
export interface Freshness extends Pick<ReadResponse, 'stale'> {
  /** When the first of its data goes stale. */
  freshUntil: number;
  /** Until then it is served without looking at its dependencies, unless it is stale and a load has ended since. */
  checkAt: number;
  /** How many values had been stored when they were looked at. */
  stores: number;
}

/** A cached response. */
export interface CheckedResponse extends Freshness, ReadResponse {
  /** The response is rebuilt from then on, even if its data did not change. */
  keptUntil: number;
}

export interface FreshnessDeps {
  content: Pick<ContentCache, 'check' | 'stores'>;
  readers: Pick<HitCounter, 'creditOne'>;
}

/** Knows the state of each cached response's data at any moment, and looks at the data only where it may have changed. */
export function createFreshness({ content, readers }: FreshnessDeps) {
  /** What a look at its dependencies says of a response. */
  function known(found: DependencyCheck, keptUntil: number, now: number): Freshness {
    const { freshForMs, sameForMs, stale } = found;
    const nextLookMs = stale.size > 0 ? Math.min(sameForMs, RECHECK_MS) : sameForMs;
    return {
      stale,
      freshUntil: Math.min(now + freshForMs, keptUntil),
      checkAt: Math.min(now + nextLookMs, keptUntil),
      stores: content.stores(),
    };
  }

  function recheck(response: CheckedResponse, now: number): boolean {
    readers.creditOne(response);
    if (now >= response.keptUntil) return false;
    const found = content.check(response.dependencies);
    if (!found.unchanged) return false;
    Object.assign(response, known(found, response.keptUntil, now));
    return true;
  }

  return {
    known,

    /** Whether a response may be sent as it is. Starts the refresh that stale data is due. */
    mayBeServed(response: CheckedResponse, now: number): boolean {
      const { checkAt, freshUntil, stores } = response;
      const isKnown = now < checkAt && (now < freshUntil || stores === content.stores());
      return isKnown || recheck(response, now);
    },
  };
}
