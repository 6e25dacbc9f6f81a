import type { PostSummary } from '#shared/models/post.ts';
import { articlePath } from '#shared/urls.ts';

/** A post as a sitemap knows it. */
export interface ArchivedPost {
  path: string;
  publishedAt: string | null;
}

/** How the archive asks: each answer is one upstream call. */
export interface ArchiveSource {
  categories(): Promise<readonly string[]>;
  /** A page of a category, from 1. */
  page(category: string, page: number): Promise<{ posts: readonly PostSummary[]; totalPages: number }>;
}

export interface PostArchiveOptions {
  source: ArchiveSource;
  /** Resolves after so many milliseconds; rejects when the server stops. */
  pause: (ms: number) => Promise<void>;
  /** Monotonic milliseconds. */
  clock: () => number;
}

/** Between two calls of a walk: readers' calls come first. */
const PACE_MS = 250;
/** A walk is worth repeating after an hour, one that failed after five minutes. */
const FRESH_MS = 3_600_000;
const RETRY_MS = 300_000;
/** What memory and search engines bear. */
const AT_MOST = 500_000;

/**
 * All posts' addresses for the sitemaps, walked from the upstream page by page when somebody asks for a sitemap, never
 * while they wait: an answer is what was walked so far. One walk at a time; one that fails keeps what it had.
 */
export function createPostArchive({ source, pause, clock }: PostArchiveOptions) {
  let posts: readonly ArchivedPost[] = [];
  let version = 0;
  let nextWalkAt = Number.NEGATIVE_INFINITY;
  let walking: Promise<void> | null = null;

  async function walk(): Promise<void> {
    const found = new Map<string, string | null>();
    for (const category of await source.categories()) {
      let totalPages = 1;
      for (let page = 1; page <= totalPages && found.size < AT_MOST; page++) {
        await pause(PACE_MS);
        const list = await source.page(category, page);
        totalPages = list.totalPages;
        for (const post of list.posts) found.set(articlePath(post), post.publishedAt);
        if (list.posts.length === 0) break;
      }
    }
    posts = [...found].map(([path, publishedAt]) => ({ path, publishedAt }));
    version++;
  }

  return {
    /** What the last whole walk found; a walk is started where that is long ago. */
    posts(): { posts: readonly ArchivedPost[]; version: number } {
      if (!walking && clock() >= nextWalkAt) {
        nextWalkAt = clock() + FRESH_MS;
        walking = walk()
          .catch(() => {
            nextWalkAt = clock() + RETRY_MS;
          })
          .finally(() => {
            walking = null;
          });
      }
      return { posts, version };
    },
    /** Resolves when no walk is under way. */
    settled: async (): Promise<void> => walking ?? undefined,
  };
}

export type PostArchive = ReturnType<typeof createPostArchive>;
