import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { renderPage } from '#client/entry-server.tsx';
import type { CachedResponse, Variant } from './cached-response.ts';
import { type PageAssets, type PageToRender, type RenderedPage, renderResponse } from './renderer.ts';

/**
 * The render thread: pages come in as data and go out as bytes. It is built with the pages, and started by
 * `render-thread.ts` alone.
 */

export interface Order {
  id: number;
  page: PageToRender;
}

/** What becomes of an order; an error is a copy without its class. */
export type Delivery = { id: number } & ({ rendered: RenderedPage } | { error: unknown });

/** What the thread is started with. */
export interface WorkerData {
  assets: PageAssets;
  isLowPriority: boolean;
}

/** What the thread is told. The second comes once, when the server is ready. */
export type Message = Order | 'lower-priority';

const { assets, isLowPriority }: WorkerData = workerData;
if (isLowPriority) lowerPriority();
if (!parentPort) throw new Error('the drawing worker is started by drawing-thread.ts');
const port = parentPort;

port.on('message', (message: Message) => {
  if (message === 'lower-priority') {
    lowerPriority();
    return;
  }
  const { id, page } = message;
  renderResponse({ renderPage }, assets, page).then(
    (rendered) => handOver(id, rendered),
    (error: unknown) => port.postMessage({ id, error } satisfies Delivery),
  );
});

function lowerPriority(): void {
  // There a priority is a thread's own; elsewhere it would be the whole server's.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}

/** Bytes change hands without a copy, where their buffer holds nothing else. */
function handOver(id: number, { response, renderMs }: RenderedPage): void {
  const { br, gzip, identity } = response.variants;
  const [brBody, gzipBody, identityBody] = [whole(br), whole(gzip), whole(identity)];
  const variants: CachedResponse['variants'] = {
    br: { ...br, body: brBody },
    gzip: { ...gzip, body: gzipBody },
    identity: { ...identity, body: identityBody },
  };
  const delivery: Delivery = { id, rendered: { response: { ...response, variants }, renderMs } };
  port.postMessage(delivery, [brBody.buffer, gzipBody.buffer, identityBody.buffer]);
}

function whole({ body }: Variant): Buffer<ArrayBuffer> {
  return Buffer.from(new Uint8Array(body).buffer);
}
