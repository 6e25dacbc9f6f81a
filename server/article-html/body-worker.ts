import { parentPort, workerData } from 'node:worker_threads';
import type { BodyOptions } from './links.ts';
import { renderArticleHtml } from './render-article-html.ts';

/** What the thread is started with. */
export interface BodyJob {
  html: string;
  options: BodyOptions;
}

/** Renders one body on a thread of its own, which `body-renderer.ts` starts. */
const { html, options }: BodyJob = workerData;
parentPort?.postMessage(renderArticleHtml(html, options));
