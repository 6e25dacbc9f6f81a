import type { PostSummary } from '#shared/models/post.ts';

/** Where the archive comes from: each method makes one upstream call. */
export interface ArchiveSource {
  categories(): Promise<readonly string[]>;
  /** A page of a category, from 1. */
  page(category: string, page: number): Promise<{ posts: readonly PostSummary[]; totalPages: number }>;
}

export interface ArchiveWalkOptions {
  source: ArchiveSource;
  /** Resolves after so many milliseconds; rejects when the server stops. */
  pause: (ms: number) => Promise<void>;
  /** Receives the posts of a page of a category. */
  keep: (posts: readonly PostSummary[], category: string) => void;
}

/** Pause between two calls of a walk: those of requests come first. */
const REQUEST_INTERVAL_MS = 250;
/** Bound of a walk, whatever totals the upstream sends. */
const MAX_PAGES = 10_000;

/**
 * Fetches every page of every category, one call at a time, the first pages of all categories first. Leaves out a page that
 * fails. Resolves with the categories of which a page is missing; null where the list of categories could not be fetched.
 * Rejects when `pause` does.
 */
export async function walkArchive({
  source,
  pause,
  keep,
}: ArchiveWalkOptions): Promise<ReadonlySet<string> | null> {
  async function ask<T>(call: () => Promise<T>): Promise<T | null> {
    await pause(REQUEST_INTERVAL_MS);
    return await call().catch(() => null);
  }

  const categories = await ask(source.categories);
  if (categories === null) return null;
  const incomplete = new Set<string>();
  const pages = categories.map((category) => ({ category, page: 1, totalPages: 1 }));
  // Grows while it is walked.
  for (const [index, { category, page, ...known }] of pages.entries()) {
    if (index >= MAX_PAGES) {
      incomplete.add(category);
      continue;
    }
    const list = await ask(() => source.page(category, page));
    if (list === null) incomplete.add(category);
    else keep(list.posts, category);
    const totalPages = list?.totalPages ?? known.totalPages;
    const isEnd = list?.posts.length === 0 || page >= totalPages;
    if (!isEnd) pages.push({ category, page: page + 1, totalPages });
  }
  return incomplete;
}
