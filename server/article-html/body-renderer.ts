import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { after } from '#server/time.ts';
import type { BodyOptions } from './links.ts';
import { type ArticleBody, renderArticleHtml } from './render-article-html.ts';

/** Characters of a body that is rendered on the serving thread. Longer ones would hold up readers for 20 ms and more. */
const MAX_LENGTH_HERE = 64 * 1024;

/** Bounds of the thread's heap: a body of 1 MiB takes half of it. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** End the thread of a body that takes longer than this (ms). One of 1 MiB takes half a second, on a busy machine ten. */
const TIMEOUT_MS = 20_000;
/** The worker's source, or its bundle beside the server's. */
const WORKER = import.meta.url.endsWith('.js') ? './body-worker.js' : './body-worker.ts';

/**
 * Returns a function that renders bodies as `renderArticleHtml` does, long ones on a thread, one at a time. Rejects where that
 * thread fails. `worker`: its code.
 */
export function createBodyRenderer(worker = new URL(WORKER, import.meta.url)) {
  const threads = new PQueue({ concurrency: 1 });
  return async (html: string, options: BodyOptions): Promise<ArticleBody> =>
    html.length > MAX_LENGTH_HERE
      ? threads.add(() => renderOnThread(worker, [html, options]))
      : renderArticleHtml(html, options);
}

/** Renders a body on a thread that ends with it. Rejects where it fails, or takes too long. */
function renderOnThread(worker: URL, job: Parameters<typeof renderArticleHtml>): Promise<ArticleBody> {
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
