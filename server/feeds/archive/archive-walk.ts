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
const MIN_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
const MAX_ATTEMPTS = 8;
/** Bound of a walk, whatever totals the upstream sends. */
const MAX_PAGES = 10_000;

/** A page to fetch. */
interface Page {
  category: string;
  page: number;
  totalPages: number;
  failures: number;
}

/**
 * Fetches every page of every category, one call at a time, the first pages of all categories first. Retries a page that
 * fails later, with exponential backoff, and leaves it out after `MAX_ATTEMPTS`. Resolves with the categories of which a
 * page is missing; null where the list of categories could not be fetched. Rejects when `pause` does.
 */
export async function walkArchive({
  source,
  pause,
  keep,
}: ArchiveWalkOptions): Promise<ReadonlySet<string> | null> {
  let failuresInARow = 0;

  async function ask<T>(call: () => Promise<T>): Promise<T | null> {
    await pause(failuresInARow === 0 ? REQUEST_INTERVAL_MS : backoff(failuresInARow));
    try {
      const response = await call();
      failuresInARow = 0;
      return response;
    } catch {
      failuresInARow++;
      return null;
    }
  }

  let categories: readonly string[] | null = null;
  for (let left = MAX_ATTEMPTS; categories === null && left > 0; left--)
    categories = await ask(source.categories);
  if (categories === null) return null;

  const incomplete = new Set<string>();
  const waiting = categories.map((category): Page => ({ category, page: 1, totalPages: 1, failures: 0 }));
  let pages = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { category, page, failures } = next;
    if (pages >= MAX_PAGES) {
      incomplete.add(category);
      continue;
    }
    const list = await ask(() => source.page(category, page));
    if (list === null && failures + 1 < MAX_ATTEMPTS) {
      waiting.push({ ...next, failures: failures + 1 });
      continue;
    }
    pages++;
    if (list === null) incomplete.add(category);
    else keep(list.posts, category);
    const totalPages = list?.totalPages ?? next.totalPages;
    const isEnd = list?.posts.length === 0 || page >= totalPages;
    if (!isEnd) waiting.push({ category, page: page + 1, totalPages, failures: 0 });
  }
  return incomplete;
}

function backoff(failures: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
}
