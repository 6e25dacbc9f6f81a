import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import { documentTags, keyTags, tagHeaderValue } from './cdn-tags.ts';
import type { CdnVendor } from './cdn-vendors.ts';

/** A response from the response cache, as far as a CDN's freshness depends on it. */
export interface CdnCacheable {
  status: number;
  /** Seconds until the first part goes stale; negative: stale since. */
  ttl: number;
  dependencies: readonly Dependency[];
  /** The name of a document's page; null for other responses. */
  page: string | null;
  complete: boolean;
}

export type CdnHeaders = ReturnType<typeof createCdnHeaders>;

/** A path that no route knows yet may have a page soon. */
const NOT_FOUND_SECONDS = 15;
const NO_STORE = 'no-store';
/** A page without data never changes while this build runs. */
const NO_DATA_STALE_SECONDS = 86_400;

/**
 * Returns what tells a CDN how long it may serve a response, by directives of its own (RFC 9213, RFC 5861), and the
 * tags that purge it. Browsers' `Cache-Control` stays as it is.
 */
export function createCdnHeaders(vendor: CdnVendor, cache: ContentCache) {
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
    if (cache.freshFor(dependencies) === null) return null;
    const value = tagHeaderValue(
      [...(page === null ? [] : documentTags(page)), ...cache.tagsOf(dependencies), ...keyTags(dependencies)],
      tagSeparator,
    );
    known.set(dependencies, value);
    return value;
  }

  function leastOf(limit: 'swr' | 'sie', dependencies: readonly Dependency[]): number {
    const seconds = dependencies.map(({ resource }) => cache.policies.get(resource)[limit]);
    return Math.min(...seconds, NO_DATA_STALE_SECONDS);
  }

  return {
    /** The directive of what must not be kept: errors, redirects, responses to forms. */
    noStore: { [freshnessHeader]: NO_STORE },

    /** Returns the headers of a cached response, names and values in turn. */
    of(response: CdnCacheable): string[] {
      const { status, ttl, dependencies, complete } = response;
      const value =
        cache.mode.name() === 'bypass' || (status !== 200 && status !== 404) ? null : tags(response);
      if (value === null) return [freshnessHeader, NO_STORE];
      const sie = leastOf('sie', dependencies);
      // None where the CDN is to ask at once: after a soft purge of a dependency, and for a page that lacks a section, whose
      // return purges nothing.
      const swr = !complete || cache.isSoftlyPurged(dependencies) ? 0 : leastOf('swr', dependencies);
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
      if (!isRead || cache.mode.name() === 'bypass') return { [freshnessHeader]: NO_STORE };
      if (status === 404) return { [freshnessHeader]: `max-age=${NOT_FOUND_SECONDS}` };
      const isShared = /\bpublic\b/.test(cacheControl) && /\bmax-age=[1-9]/.test(cacheControl);
      if (!isShared || ![200, 206, 304].includes(status)) return { [freshnessHeader]: NO_STORE };
      const directives = cacheControl.match(/\b(max-age|stale-while-revalidate|stale-if-error)=\d+/g);
      return { [freshnessHeader]: (directives ?? []).join(', ') };
    },
  };
}

/** Sets the CDN's directive on each response that Fastify sends itself: that of files and images, `no-store` on others. */
export const cdnHeaders = fp(
  async (app: FastifyInstance, { cdn }: { cdn: { headers: CdnHeaders } | null }): Promise<void> => {
    if (cdn === null) return;
    app.addHook('onSend', (request, reply, payload, done) => {
      const cacheControl = String(reply.getHeader('cache-control') ?? '');
      reply.headers(cdn.headers.ofFile(request.method, reply.statusCode, cacheControl));
      done(null, payload);
    });
  },
  { name: 'cdn-headers' },
);
