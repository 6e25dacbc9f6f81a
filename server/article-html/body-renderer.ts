import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { after } from '#server/time.ts';
import type { BodyJob } from './body-worker.ts';
import { type ArticleBody, type BodyOptions, renderArticleHtml } from './render-article-html.ts';

/** Share of `CACHE_MAX_MB` for remembered results. */
export const BODIES_SHARE = 0.1;

/** Characters of a body that is rendered on the serving thread. Longer ones would hold up readers for 20 ms and more. */
const MAX_LENGTH_HERE = 64 * 1024;
/** Of an entry besides its bytes. */
const ENTRY_BYTES = 300;

/** Bounds of the thread's heap: a body of 1 MiB takes half of it. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** End the thread of a body that takes longer than this (ms). One of 1 MiB takes half a second. */
const TIMEOUT_MS = 10_000;
/** The worker's source, or its bundle beside the server's. */
const WORKER = import.meta.url.endsWith('.js') ? './body-worker.js' : './body-worker.ts';

type Render = (html: string, options: BodyOptions) => ArticleBody;

export interface BodyRendererOptions {
  /** Bound of the remembered results. */
  maxBytes: number;
  render?: Render;
  worker?: URL;
}

/**
 * Returns a function that renders bodies as `renderArticleHtml` does, each version of one once: results are remembered by
 * a hash of the body, compressed, since most refreshes of an article bring the same one. Long bodies are rendered on a
 * thread, one at a time. Rejects where that thread fails.
 */
export function createBodyRenderer({
  maxBytes,
  render = renderArticleHtml,
  worker = new URL(WORKER, import.meta.url),
}: BodyRendererOptions) {
  const results = new LRUCache<string, Uint8Array>({
    maxSize: Math.ceil(maxBytes),
    sizeCalculation: ({ length }) => length + ENTRY_BYTES,
  });
  const threads = new PQueue({ concurrency: 1 });

  return async function renderBody(html: string, options: BodyOptions): Promise<ArticleBody> {
    const key = hash('sha1', JSON.stringify([options, html]), 'base64url');
    const known = results.get(key);
    if (known) {
      const remembered: ArticleBody = JSON.parse(inflateRawSync(known).toString());
      return remembered;
    }
    const isLong = html.length > MAX_LENGTH_HERE;
    const body = isLong
      ? await threads.add(() => renderOnThread(worker, { html, options }))
      : render(html, options);
    results.set(key, new Uint8Array(deflateRawSync(JSON.stringify(body))));
    return body;
  };
}

/** Renders a body on a thread that ends with it. Rejects where it fails, or takes too long. */
function renderOnThread(worker: URL, job: BodyJob): Promise<ArticleBody> {
  const { promise, resolve, reject } = Promise.withResolvers<ArticleBody>();
  const thread = new Worker(worker, { name: 'article-html', workerData: job, resourceLimits: HEAP });
  const timeout = after(TIMEOUT_MS, () => void thread.terminate());
  thread.on('message', resolve);
  thread.on('error', reject);
  thread.on('exit', () => {
    clearTimeout(timeout);
    reject(new Error('the thread of a body ended without a result'));
  });
  return promise;
}
