import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
// Here, because the entry imports it at the first render: the thread has time before.
import 'react-dom/server';
import { renderPage } from '#client/entry-server.tsx';
import { type PageAssets, type PageToRender, type RenderedPage, renderResponse } from './renderer.ts';
import type { CachedResponse, Variant } from './response-cache/cached-response.ts';

/** The render worker: gets pages as data and returns responses. Built with the pages; started by `render-thread.ts`. */

export interface RenderJob {
  id: number;
  page: PageToRender;
}

/** The result of a job. An error is a structured clone, without its class. */
export type RenderReply = { id: number } & ({ rendered: RenderedPage } | { error: unknown });

export interface WorkerData {
  assets: PageAssets;
  isLowPriority: boolean;
}

/** `lower-priority` comes once, when the server is ready. */
export type WorkerMessage = RenderJob | 'lower-priority';

const { assets, isLowPriority }: WorkerData = workerData;
if (isLowPriority) lowerPriority();
if (!parentPort) throw new Error('the render worker is started by render-thread.ts');
const port = parentPort;

port.on('message', (message: WorkerMessage) => {
  if (message === 'lower-priority') {
    lowerPriority();
    // Now, because it holds what a start compiles, and a worker that is terminated writes nothing.
    flushCompileCache();
    return;
  }
  const { id, page } = message;
  renderResponse({ renderPage }, assets, page).then(
    (rendered) => reply(id, rendered),
    (error: unknown) => port.postMessage({ id, error } satisfies RenderReply),
  );
});

function lowerPriority(): void {
  // On Linux a priority is per thread; elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}

/** Sends a page. Its buffers are transferred, not copied. */
function reply(id: number, { response, ...durations }: RenderedPage): void {
  const { br, gzip, identity } = response.variants;
  const [brBody, gzipBody, identityBody] = [ownBuffer(br), ownBuffer(gzip), ownBuffer(identity)];
  const variants: CachedResponse['variants'] = {
    br: { ...br, body: brBody },
    gzip: { ...gzip, body: gzipBody },
    identity: { ...identity, body: identityBody },
  };
  const message: RenderReply = { id, rendered: { response: { ...response, variants }, ...durations } };
  port.postMessage(message, [brBody.buffer, gzipBody.buffer, identityBody.buffer]);
}

/** Copies a body into a buffer of its own: Node's pooled buffers cannot be transferred. */
function ownBuffer({ body }: Variant): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(body).buffer);
}
