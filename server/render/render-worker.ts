import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
// Here, because the entry imports it at the first render: the thread has time before.
import 'react-dom/server';
import { renderPage } from '#client/entry-server.tsx';
import { type PageAssets, type PageToRender, type RenderedPage, renderResponse } from './render-response.ts';

/** The render worker: gets pages as data and returns responses. Built with the pages; started by the render queue. */

export interface RenderJob {
  id: number;
  page: PageToRender;
}

/** The result of a job. An error is a structured clone, without its class. */
export type RenderReply = { id: number } & ({ rendered: RenderedPage } | { error: unknown });

export interface WorkerData {
  assets: PageAssets;
}

const { assets }: WorkerData = workerData;
lowerPriority();
if (!parentPort) throw new Error('the render worker is no program of its own');
const port = parentPort;

renderMessages();

function renderMessages(): void {
  let hasRendered = false;
  port.on('message', ({ id, page }: RenderJob) => {
    renderResponse({ renderPage }, assets, page).then(
      (rendered) => {
        // It holds what a page compiles now. A worker that is terminated writes nothing. Nor does this if the cache was there.
        if (!hasRendered) flushCompileCache();
        hasRendered = true;
        reply(id, rendered);
      },
      (error: unknown) => port.postMessage({ id, error } satisfies RenderReply),
    );
  });
}

/** Gives serving cached pages precedence (`docs/decisions/0016`). */
function lowerPriority(): void {
  // On Linux a priority is per thread; elsewhere it would be that of the whole process. Not the lowest: among other busy
  // processes a page would wait for a second and more.
  if (process.platform === 'linux')
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}

/** Sends a page. Its buffers are transferred, not copied. */
function reply(id: number, rendered: RenderedPage): void {
  const { br, gzip, identity } = rendered.response.variants;
  const bodies = [br.body, gzip.body, ...(identity.body ? [identity.body] : [])];
  port.postMessage(
    { id, rendered } satisfies RenderReply,
    bodies.map(({ buffer }) => buffer),
  );
}
