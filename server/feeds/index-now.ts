import { request } from 'undici';
import { traceCall } from '#server/tracing/trace-call.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { articlePath } from '#shared/urls.ts';

/** Participating search engines share what any of them receives. */
const ENDPOINT = 'https://api.indexnow.org/indexnow';
const DEADLINE_MS = 10_000;
/** Changes come in groups: a list, and the articles on it. */
const BATCH_DELAY_MS = 10_000;
const SLICE_SIZE = 10_000;
const DAY_MS = 86_400_000;

/** The request body, by the names of the protocol. */
export interface Announcement {
  host: string;
  key: string;
  keyLocation: string;
  urlList: string[];
}

export interface IndexNowOptions {
  key: string;
  origin: string;
  /** The newest posts, from the cache. */
  latest: () => Promise<readonly PostSummary[]>;
  send: (announcement: Announcement) => Promise<void>;
  /** Calls back after so many milliseconds, unless the server is stopping. */
  later: (work: () => void, ms: number) => void;
  now: () => number;
  logger: { warn(about: object, message: string): void };
}

/** Submits new and changed articles to search engines (indexnow.org), some seconds after the cache has loaded them. */
export function createIndexNow({ key, origin, latest, send, later, now, logger }: IndexNowOptions) {
  /** Articles of the last list; null before there was one. */
  let known: ReadonlySet<string> | null = null;
  let waiting = new Set<string>();

  async function sendWaiting(): Promise<void> {
    const paths = [...waiting].slice(0, SLICE_SIZE);
    waiting = new Set();
    // Concatenated, not resolved: a path that starts with two slashes would name another host.
    const urlList = paths.map((path) => origin + path);
    const { host } = new URL(origin);
    try {
      await send({ host, key, keyLocation: new URL(`/${key}.txt`, origin).href, urlList });
    } catch (error) {
      // No retry: search engines crawl the articles anyway.
      logger.warn({ err: error, count: urlList.length }, 'the submission to IndexNow failed');
    }
  }

  function announce(path: string): void {
    if (waiting.size === 0) later(() => void sendWaiting(), BATCH_DELAY_MS);
    waiting.add(path);
  }

  /** Without an earlier list there is nothing to compare with. */
  async function announceNew(): Promise<void> {
    const posts = await latest();
    const before = known ?? new Set(posts.map(articlePath));
    known = new Set(posts.map(articlePath));
    for (const post of posts) {
      const path = articlePath(post);
      const isNew = post.publishedAt !== null && now() - Date.parse(post.publishedAt) < DAY_MS;
      if (isNew && !before.has(path)) announce(path);
    }
  }

  return {
    /** Remembers the cached list, so that later changes are found. */
    start: (): Promise<void> => announceNew().catch(() => undefined),
    /** Call with the cache's keys whose value has changed (`ContentCache.onNewValue`). */
    changed(key: string): void {
      const [resource, category = '', slug = ''] = key.split('/').map(decodeURIComponent);
      if (resource === 'article') announce(articlePath({ category, slug }));
      if (resource === 'latest') announceNew().catch(() => undefined);
    },
  };
}

/** Sends a submission. Rejects on any status from 300. */
export async function sendToIndexNow(announcement: Announcement, tracing: Tracing): Promise<void> {
  const call = { method: 'POST', url: ENDPOINT };
  const { status } = await traceCall(tracing, 'indexnow submit', call, async () => {
    const { statusCode, body } = await request(ENDPOINT, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(announcement),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await body.dump();
    return { status: statusCode };
  });
  if (status >= 300) throw new Error(`IndexNow responded with ${status}`);
}
