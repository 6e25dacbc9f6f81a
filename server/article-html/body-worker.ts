import { parentPort, workerData } from 'node:worker_threads';
import { renderArticleHtml } from './render-article-html.ts';

/** Renders one body on a thread of its own, which `body-renderer.ts` starts. */
const job: Parameters<typeof renderArticleHtml> = workerData;
parentPort?.postMessage(renderArticleHtml(...job));
