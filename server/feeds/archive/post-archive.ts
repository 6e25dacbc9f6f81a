import type { PostSummary } from '#shared/models/post.ts';
import { articlePath } from '#shared/urls.ts';

/** Where the archive comes from: each method makes one upstream call. */
export interface ArchiveSource {
  categories(): Promise<readonly string[]>;
  /** A page of a category, from 1. */
  page(category: string, page: number): Promise<{ posts: readonly PostSummary[]; totalPages: number }>;
}

/** A post as a sitemap needs it. */
export interface ArchivedPost {
  path: string;
  publishedAt: string | null;
  /** The category in whose list it was found. */
  category: string;
}

export interface PostArchiveOptions {
  source: ArchiveSource;
  /** Resolves after so many milliseconds; rejects when the server stops. */
  pause: (ms: number) => Promise<void>;
  /** Monotonic milliseconds. */
  clock: () => number;
  logger: { warn(about: object, message: string): void };
}

/**
 * Pause before each attempt of a call. The first stands between any two calls: those of requests come first. The others are
 * an exponential backoff, at the end of which an upstream that was down is back, or is left alone until the next walk.
 */
const PAUSES_MS = [250, 1_000, 4_000, 16_000, 60_000];
/** Bound of a walk, whatever totals the upstream sends. */
const MAX_PAGES = 10_000;
/** From the end of a walk to the next one. */
const REPEAT_MS = 3_600_000;
const REPEAT_INCOMPLETE_MS = 300_000;
/** During a walk the version changes no more often: each change renders the sitemaps again. */
const VERSION_MS = 30_000;
/** Bounds the memory of the archive: about 150,000 posts. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Bytes of a post besides its path. */
const POST_BYTES = 150;

interface Known extends ArchivedPost {
  /** The last walk that found it. */
  walk: number;
}

/**
 * Collects the paths of all posts for the sitemaps: a walk fetches them page by page after a request for a sitemap, which does
 * not wait. Adds a post as soon as a walk finds it; removes one that a walk did not find only where its whole category could
 * be fetched. Posts keep their places, so that the parts of a sitemap stay the same.
 */
export function createPostArchive({ source, pause, clock, logger }: PostArchiveOptions) {
  /** By path. A post that is set again keeps its place. */
  const posts = new Map<string, Known>();
  let bytes = 0;
  let walks = 0;
  /** Posts of the walk for which there was no room. */
  let leftOut = 0;
  let nextWalkAt = Number.NEGATIVE_INFINITY;
  let walking: Promise<void> | null = null;
  let version = 0;
  let versionAt = Number.NEGATIVE_INFINITY;
  let hasChanged = false;

  /** False where there is no room. */
  function add(post: ArchivedPost): boolean {
    const known = posts.get(post.path);
    const added = known ? 0 : weightOf(post);
    if (bytes + added > MAX_BYTES) return false;
    bytes += added;
    hasChanged ||= known?.publishedAt !== post.publishedAt;
    posts.set(post.path, { ...post, walk: walks });
    return true;
  }

  function nextVersion(): void {
    if (!hasChanged) return;
    hasChanged = false;
    version++;
    versionAt = clock();
  }

  function removeUnseen(incomplete: ReadonlySet<string>): void {
    for (const [path, post] of posts) {
      if (post.walk === walks || incomplete.has(post.category)) continue;
      posts.delete(path);
      bytes -= weightOf(post);
      hasChanged = true;
    }
  }

  /** Null where every attempt fails. */
  async function ask<T>(call: () => Promise<T>): Promise<T | null> {
    for (const ms of PAUSES_MS) {
      await pause(ms);
      const response = await call().catch(() => null);
      if (response !== null) return response;
    }
    return null;
  }

  function keep(found: readonly PostSummary[], category: string): void {
    for (const post of found)
      if (!add({ path: articlePath(post), publishedAt: post.publishedAt, category })) leftOut++;
    if (clock() - versionAt >= VERSION_MS) nextVersion();
  }

  /**
   * Fetches every page of every category, one call at a time, the first pages of all categories first. Leaves out a page of
   * which every attempt fails. Resolves with the categories of which a page is missing; null where the list of categories could not be fetched.
   * Rejects when `pause` does.
   */
  async function fetchPages(): Promise<ReadonlySet<string> | null> {
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

  async function walk(): Promise<void> {
    walks++;
    leftOut = 0;
    const incomplete = await fetchPages();
    if (incomplete) removeUnseen(incomplete);
    if (incomplete?.size !== 0)
      logger.warn(
        { categories: incomplete && [...incomplete] },
        'sitemap archive: pages could not be loaded',
      );
    if (leftOut > 0) logger.warn({ posts: leftOut }, 'sitemap archive: full, posts left out');
    nextWalkAt = clock() + (incomplete?.size === 0 ? REPEAT_MS : REPEAT_INCOMPLETE_MS);
  }

  return {
    /** Starts a walk where the next one is due. */
    walkIfDue(): void {
      if (walking || clock() < nextWalkAt) return;
      // For a walk that ends before it sets when the next one is due.
      nextWalkAt = clock() + REPEAT_INCOMPLETE_MS;
      walking = walk()
        // The server is stopping.
        .catch(() => undefined)
        .finally(() => {
          nextVersion();
          walking = null;
        });
    },
    /** Returns the posts found so far. */
    posts: (): readonly ArchivedPost[] => [...posts.values()],
    has: (path: string): boolean => posts.has(path),
    /** Changes when the posts change. */
    version: (): number => version,
    /** Milliseconds until the next walk is due; 0 during a walk. */
    nextWalkInMs: (): number => (walking ? 0 : Math.max(0, nextWalkAt - clock())),
    /** Restores the posts of an earlier process. */
    restore(saved: readonly ArchivedPost[], nextWalkInMs: number): void {
      for (const post of saved) add(post);
      nextWalkAt = clock() + Math.min(nextWalkInMs, REPEAT_MS);
      nextVersion();
    },
    /** Resolves when no walk is in progress. */
    idle: async (): Promise<void> => walking ?? undefined,
  };
}

export type PostArchive = ReturnType<typeof createPostArchive>;

function weightOf({ path }: ArchivedPost): number {
  return path.length + POST_BYTES;
}
