import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import { documentTags, keyTags, tagHeaderValue } from './cdn-tags.ts';
import type { CdnVendor } from './cdn-vendors.ts';

/** What the headers ask of the content cache. */
export interface CdnHeadersDeps {
  vendor: CdnVendor;
  /** Seconds that a response of these dependencies may be served stale while it is refreshed, and if that fails. */
  staleLimits: (dependencies: readonly Dependency[]) => { swr: number; sie: number };
  /** Tags of the entries that these dependencies name, as far as they are cached. */
  tagsOf: (dependencies: readonly Dependency[]) => string[];
  /** Whether these dependencies are what is cached now. */
  isCurrent: (dependencies: readonly Dependency[]) => boolean;
  /** Whether a soft purge concerns one of these dependencies: its value is served once more while it is refreshed. */
  isSoftlyPurged: (dependencies: readonly Dependency[]) => boolean;
  /** Every request asks the upstream: nothing may be kept. */
  isBypass: () => boolean;
}

/** A response from the response cache, as far as a CDN's freshness depends on it. */
export interface CdnCacheable {
  status: number;
  /** Seconds until the first part goes stale; negative: stale since. */
  ttl: number;
  dependencies: readonly Dependency[];
  /** The name of a document's page; null for other responses. */
  page: string | null;
  /** False: an optional section is missing. */
  complete: boolean;
}

export type CdnHeaders = ReturnType<typeof createCdnHeaders>;

/** A path that no route knows yet may have a page soon. */
const NOT_FOUND_SECONDS = 15;
const NO_STORE = 'no-store';

/**
 * Returns what tells a CDN how long it may serve a response, by directives of its own (RFC 9213, RFC 5861), and the
 * tags that purge it. Browsers' `Cache-Control` stays as it is.
 */
export function createCdnHeaders({
  vendor,
  staleLimits,
  tagsOf,
  isCurrent,
  isSoftlyPurged,
  isBypass,
}: CdnHeadersDeps) {
  const { freshnessHeader, tagHeader, tagSeparator } = vendor;
  /** A response keeps its array of dependencies for as long as its data are the same, and so its tags. */
  const known = new WeakMap<readonly Dependency[], string>();

  /**
   * Null where a dependency was purged or changed while the response was made: its tags are not known, or it would come
   * after the purge that was for it.
   */
  function tags({ dependencies, page }: CdnCacheable): string | null {
    const before = known.get(dependencies);
    if (before !== undefined) return before;
    if (!isCurrent(dependencies)) return null;
    const value = tagHeaderValue(
      [...(page === null ? [] : documentTags(page)), ...tagsOf(dependencies), ...keyTags(dependencies)],
      tagSeparator,
    );
    known.set(dependencies, value);
    return value;
  }

  return {
    /** The directive of what must not be kept: errors, redirects, responses to forms. */
    noStore: { [freshnessHeader]: NO_STORE },

    /** Returns the headers of a cached response, names and values in turn. */
    of(response: CdnCacheable): string[] {
      const { status, ttl, dependencies, complete } = response;
      const value = isBypass() || (status !== 200 && status !== 404) ? null : tags(response);
      if (value === null) return [freshnessHeader, NO_STORE];
      const limits = staleLimits(dependencies);
      const { sie } = limits;
      // The CDN has to ask again as soon as the value can be another: it was purged of it, or nothing will purge it of a
      // page whose missing section is there again.
      const swr = !complete || isSoftlyPurged(dependencies) ? 0 : limits.swr;
      const freshness =
        status === 404
          ? `max-age=${NOT_FOUND_SECONDS}`
          : `max-age=${Math.max(1, ttl)}, stale-while-revalidate=${swr}, stale-if-error=${sie}`;
      return [freshnessHeader, freshness, ...(value === '' ? [] : [tagHeader, value])];
    },

    /**
     * Returns the directive of a response that only has a `Cache-Control`: that of what browsers may share, such as a
     * file or a picture; 15 s of a 404.
     */
    ofFile(method: string, status: number, cacheControl: string): Record<string, string> {
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead || isBypass()) return { [freshnessHeader]: NO_STORE };
      if (status === 404) return { [freshnessHeader]: `max-age=${NOT_FOUND_SECONDS}` };
      const isShared = /\bpublic\b/.test(cacheControl) && /\bmax-age=[1-9]/.test(cacheControl);
      if (!isShared || ![200, 206, 304].includes(status)) return { [freshnessHeader]: NO_STORE };
      const kept = cacheControl.split(',').map((part) => part.trim());
      const directives = kept.filter((part) =>
        /^(max-age|stale-while-revalidate|stale-if-error)=/.test(part),
      );
      return { [freshnessHeader]: directives.join(', ') };
    },
  };
}
