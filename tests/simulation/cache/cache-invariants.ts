import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import type { InvariantChecker } from '../invariant-checker.ts';
import type { StalenessBound } from '../staleness-bounds.ts';
import { isContentOf, type Upstream } from '../upstream.ts';
import type { Purges } from './purges.ts';

/** Invariants of the content cache and of the pages built from it. */
export type CacheInvariant =
  | 'one load a key is in flight'
  | 'no expired value is served'
  | 'a served value is one that the upstream returned for its key'
  | 'no value from before a hard purge is served after it'
  | 'no error is cached'
  | 'a failed load keeps the cached value'
  | 'an absent key keeps its cached value until that is confirmed'
  | 'an absent key loses its cached value'
  | 'the bytes are bounded'
  | 'a frozen cache loads nothing'
  | 'a page is a function of its path and the versions of its data'
  | 'a cached page was built from the data that is cached'
  | 'an incomplete page is soon rebuilt';

/** Negative caching lasts fifteen seconds (faults). */
const NEGATIVE_MS = 15_000;

/** A reader of one key or of one page. */
export interface Reader {
  /** Sequence number at which the reader came. */
  since: number;
  /** Time against which the age of what is served is checked, in milliseconds. */
  at: number;
  bound: Pick<StalenessBound, 'maxAgeMs'>;
}

/** Returns the resource of a scenario's key. */
export function resourceOf(key: string): Resource {
  return key.startsWith('topic/') ? 'topic' : 'article';
}

/** Checks what is served to readers, and what is cached. */
export function createCacheInvariants(
  check: InvariantChecker<CacheInvariant>,
  upstream: Upstream,
  purges: Purges,
) {
  function checkAge(key: string, version: number | null, { at, bound }: Reader): void {
    const maxAgeMs = version === null ? NEGATIVE_MS : bound.maxAgeMs(resourceOf(key));
    const age = at - upstream.lastReturned(key, version);
    check(
      'no expired value is served',
      age <= maxAgeMs,
      () => `${key} is ${age} ms old, at most ${maxAgeMs}`,
    );
  }

  function checkPurge(key: string, version: number | null, { since }: Reader): void {
    const purged = purges.lastHard(key, since);
    check(
      'no value from before a hard purge is served after it',
      upstream.until(key, version) > purged,
      () => `${key} in version ${version} was replaced before the purge`,
    );
  }

  return {
    served(key: string, value: unknown, reader: Reader): void {
      const own = isContentOf(key, value);
      check(
        'a served value is one that the upstream returned for its key',
        own && upstream.lastReturned(key, value.version) > Number.NEGATIVE_INFINITY,
        () => `${key}: ${JSON.stringify(value)}`,
      );
      if (!own) return;
      checkAge(key, value.version, reader);
      checkPurge(key, value.version, reader);
    },

    /** The reader got a 404. */
    servedAbsent(key: string, reader: Reader): void {
      checkAge(key, null, reader);
    },

    loading(key: string, running: number, frozen: boolean): void {
      check('one load a key is in flight', running <= 1, () => `${running} of ${key}`);
      check('a frozen cache loads nothing', !frozen, () => key);
    },

    cached(cache: ContentCache, pageBytes: number, maxBytes: number): void {
      let bytes = 0;
      for (const { key, value } of cache.entries()) {
        check('no error is cached', isContentOf(key, value), () => `${key}: ${JSON.stringify(value)}`);
        bytes += (key.length + JSON.stringify(value).length) * 2;
      }
      check('the bytes are bounded', bytes <= maxBytes, () => `${bytes} of ${maxBytes}`);
      check('the bytes are bounded', pageBytes <= maxBytes, () => `${pageBytes} of ${maxBytes}`);
    },

    failed(key: string, before: number | null, after: number | null): void {
      check(
        'a failed load keeps the cached value',
        before === after,
        () => `${key}: ${before}, then ${after}`,
      );
    },

    /** `times`: how often in a row the upstream has said so while a value was cached. */
    absent(key: string, times: number, before: number | null, after: number | null): void {
      if (before !== null && times === 1)
        check(
          'an absent key keeps its cached value until that is confirmed',
          after === before,
          () => `${key}: ${before}, then ${after}`,
        );
      else check('an absent key loses its cached value', after === null, () => key);
    },
  };
}

export type CacheInvariants = ReturnType<typeof createCacheInvariants>;
