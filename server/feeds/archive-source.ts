import type { UpstreamAnswers } from '#server/content/upstream-answers.ts';
import type { ArchiveSource } from './post-archive.ts';

/** As many posts as one answer may hold without being slow. */
const PAGE_SIZE = 100;

/** Asks the upstream past the cache: pages of this size are nobody's page, and would push out what readers want. */
export function archiveSource(upstream: UpstreamAnswers): ArchiveSource {
  return {
    async categories() {
      const categories = await upstream.categories().load({ cold: false });
      return categories.map(({ slug }) => slug);
    },
    page: (category, page) =>
      upstream.topic({ category, subcategory: null, page, limit: PAGE_SIZE }).load({ cold: false }),
  };
}
