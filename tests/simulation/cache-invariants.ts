import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { InvariantChecker } from './invariant-checker.ts';
import type { Purges } from './purges.ts';
import type { StalenessBound } from './staleness-bounds.ts';
import { isContentOf, type Upstream } from './upstream.ts';

/** What holds of the content cache and of the pages made of it, whatever happens. */
export type CacheInvariant =
  | 'one load a key is under way'
  | 'nothing is served past its ages'
  | 'a value served is one that the upstream gave for its key'
  | 'nothing from before a hard purge is served after it'
  | 'no error is kept'
  | 'a failure leaves the copy as it is'
  | 'a no drops the copy'
  | 'the bytes stay within the cap'
  | 'a frozen cache loads nothing'
  | 'a page follows from its address and the versions of its data'
  | 'a page that stands is made of the data that is cached'
  | 'a page that misses data is soon made again';

/** An upstream's no is believed for fifteen seconds (faults). */
const NEGATIVE_MS = 15_000;

/** A reader of one key or of one page. */
export interface Reader {
  /** The moment at which the reader came. */
  since: number;
  /** Milliseconds from which the age of what is served counts. */
  at: number;
  allowed: Pick<StalenessBound, 'mostMs'>;
}

/** The resource of a key of the stories. */
export function resourceOf(key: string): Resource {
  return key.startsWith('topic/') ? 'topic' : 'article';
}

/** Looks at what readers get, and at what the cache keeps. */
export function createCacheInvariants(
  checker: InvariantChecker<CacheInvariant>,
  upstream: Upstream,
  purges: Purges,
) {
  function judgeAge(key: string, version: number | null, { at, allowed }: Reader): void {
    const most = version === null ? NEGATIVE_MS : allowed.mostMs(resourceOf(key));
    const age = at - upstream.lastGiven(key, version);
    checker('nothing is served past its ages', age <= most, () => `${key} is ${age} ms old, at most ${most}`);
  }

  function judgePurge(key: string, version: number | null, { since }: Reader): void {
    const purged = purges.lastHard(key, since);
    checker(
      'nothing from before a hard purge is served after it',
      upstream.until(key, version) > purged,
      () => `${key} in version ${version} was replaced before the purge`,
    );
  }

  return {
    served(key: string, value: unknown, reader: Reader): void {
      const own = isContentOf(key, value);
      checker(
        'a value served is one that the upstream gave for its key',
        own && upstream.lastGiven(key, value.version) > Number.NEGATIVE_INFINITY,
        () => `${key}: ${JSON.stringify(value)}`,
      );
      if (!own) return;
      judgeAge(key, value.version, reader);
      judgePurge(key, value.version, reader);
    },

    /** The reader was told that there is nothing. */
    denied(key: string, reader: Reader): void {
      judgeAge(key, null, reader);
    },

    loading(key: string, running: number, frozen: boolean): void {
      checker('one load a key is under way', running <= 1, () => `${running} of ${key}`);
      checker('a frozen cache loads nothing', !frozen, () => key);
    },

    kept(cache: ContentCache, pageBytes: number, maxBytes: number): void {
      let bytes = 0;
      for (const { key, value } of cache.entries()) {
        checker('no error is kept', isContentOf(key, value), () => `${key}: ${JSON.stringify(value)}`);
        bytes += (key.length + JSON.stringify(value).length) * 2;
      }
      checker('the bytes stay within the cap', bytes <= maxBytes, () => `${bytes} of ${maxBytes}`);
      checker('the bytes stay within the cap', pageBytes <= maxBytes, () => `${pageBytes} of ${maxBytes}`);
    },

    failed(key: string, before: number | null, after: number | null): void {
      checker(
        'a failure leaves the copy as it is',
        before === after,
        () => `${key}: ${before}, then ${after}`,
      );
    },

    saidNo(key: string, after: number | null): void {
      checker('a no drops the copy', after === null, () => key);
    },
  };
}

export type CacheInvariants = ReturnType<typeof createCacheInvariants>;
