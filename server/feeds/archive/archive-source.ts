import { type CacheMode, Frozen } from '#server/cache/cache-mode.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import type { Resource } from '#shared/models/resources.ts';
import type { ArchiveSource } from './post-archive.ts';

/** Posts in one response that is not slow yet. */
const PAGE_SIZE = 100;

/**
 * Fetches from the upstream without the cache: no page has pages of this size, and they would evict what readers want.
 * Retries nothing: the walk does. Rejects while the cache is frozen.
 */
export function archiveSource(upstream: CacheQueries, mode: Pick<CacheMode, 'name'>): ArchiveSource {
  function refuseFrozen(resource: Resource): void {
    if (mode.name() === 'freeze') throw new Frozen(resource);
  }

  return {
    async categories() {
      refuseFrozen('categories');
      const categories = await upstream.categories().load({ cold: false });
      return categories.map(({ slug }) => slug);
    },
    async page(category, page) {
      refuseFrozen('topic');
      const topic = upstream.topic({ category, subcategory: null, page, limit: PAGE_SIZE });
      try {
        return await topic.load({ cold: false });
      } catch (error) {
        // The upstream has no such list: a retry would not help.
        if (error instanceof UpstreamError && error.kind === 'not-found') return { posts: [], totalPages: 0 };
        throw error;
      }
    },
  };
}
