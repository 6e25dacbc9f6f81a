import { type CacheMode, Frozen } from '#server/cache/cache-mode.ts';
import type { Resource } from '#server/cache/resources.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import type { ArchiveSource } from './archive-walk.ts';

/** As many posts as one answer may hold without being slow. */
const PAGE_SIZE = 100;

/**
 * Asks the upstream past the cache: pages of this size are nobody's page, and would push out what readers want. Rejects
 * while the cache is frozen.
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
        // The upstream's word that there is no such list: trying again would not help.
        if (error instanceof UpstreamError && error.status === 404) return { posts: [], totalPages: 0 };
        throw error;
      }
    },
  };
}
