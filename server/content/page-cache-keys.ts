import { Absent } from '#server/cache/cache-query.ts';
import { type Dependency, DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { RenderBundle } from '#server/render/render-response.ts';
import type { Section } from '#shared/site.ts';
import type { CacheQueries } from './cache-queries.ts';
import { createContentService } from './content-service.ts';

export interface PageCacheKeysOptions {
  queries: CacheQueries;
  bundle: () => Promise<Pick<RenderBundle, 'loadPage'>>;
  origin: string;
  sections: () => readonly Section[];
}

/** Resolves with the cache keys that a page reads first, by its canonical URL. */
export type PageCacheKeys = (url: string) => Promise<Pick<Dependency, 'key' | 'resource'>[]>;

/**
 * Returns a function that lists the cache keys of a page without a call of the upstream: its loaders run on a cache that
 * has nothing. What depends on a loaded value, such as an article's author, is not among them.
 */
export function createPageCacheKeys(options: PageCacheKeysOptions): PageCacheKeys {
  const { queries, bundle, origin, sections } = options;
  return async (url) => {
    const read: Pick<Dependency, 'key' | 'resource'>[] = [];
    const cache = {
      read({ key, resource }: Pick<Dependency, 'key' | 'resource'>): Promise<never> {
        read.push({ key, resource });
        return Promise.reject(new Absent());
      },
      readCached: () => null,
      isSlow: () => false,
    };
    // Every read fails at once: there is nothing to wait for.
    const deps = { queries, sections: sections(), cache, deadlineMs: 0, onMissed: () => undefined };
    const api = createContentService(deps, new DependencyTracker());
    await (await bundle()).loadPage({ url, origin, api });
    return read;
  };
}
