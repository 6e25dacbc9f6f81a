import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Variant } from './cached-response.ts';
import type { Delivery, Message, WorkerData } from './render-worker.ts';
import type { PageAssets, PageToRender, RenderedPage, Renderer } from './renderer.ts';

/** A page takes milliseconds: a thread that delivers none for so long, in milliseconds, while some wait is stuck. */
const SILENCE_MS = 10_000;

/** What a page leaves behind is garbage at once; with more room the thread holds a hundred megabytes of it. */
const YOUNG_MB = 12;

export interface RenderThreadOptions {
  assets: PageAssets;
  logger: Logger;
  silenceMs?: number;
  /** The thread's code, built. */
  worker: URL;
}

/**
 * Draws pages on a thread of their own, so that those that are finished go out meanwhile (`docs/decisions/0016`).
 * A thread that dies or is stuck takes the pages with it that wait: they reject, and the next one finds a new thread.
 */
export function createRenderThread({
  assets,
  logger,
  silenceMs = SILENCE_MS,
  worker,
}: RenderThreadOptions): Renderer {
  const orders = new Map<number, PromiseWithResolvers<RenderedPage>>();
  let lastId = 0;
  let closed = false;
  let isLowPriority = false;
  let watch: NodeJS.Timeout | undefined;
  let thread: Worker | null = start();

  function start(): Worker {
    const started = new Worker(worker, {
      workerData: { assets, isLowPriority } satisfies WorkerData,
      name: 'renderer',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    started.on('message', deliver);
    started.on('error', (err) => logger.error({ err }, 'the render thread failed'));
    started.on('exit', () => {
      if (thread === started) thread = null;
      clearTimeout(watch);
      for (const { reject } of orders.values()) reject(new Error('the render thread ended'));
      orders.clear();
    });
    return started;
  }

  function deliver(delivery: Delivery): void {
    const order = orders.get(delivery.id);
    orders.delete(delivery.id);
    watchSilence();
    if ('error' in delivery) order?.reject(delivery.error);
    else order?.resolve(withBuffers(delivery.rendered));
  }

  function watchSilence(): void {
    clearTimeout(watch);
    if (orders.size === 0) return;
    watch = setTimeout(() => {
      logger.error({ waiting: orders.size }, 'the render thread is stuck: it is ended');
      void thread?.terminate();
    }, silenceMs);
  }

  return {
    async render(page: PageToRender): Promise<RenderedPage> {
      if (closed) throw new Error('the render thread is closed');
      thread ??= start();
      const order = Promise.withResolvers<RenderedPage>();
      const id = ++lastId;
      thread.postMessage({ id, page } satisfies Message);
      orders.set(id, order);
      if (orders.size === 1) watchSilence();
      return order.promise;
    },
    waiting: () => orders.size,
    lowerPriority() {
      isLowPriority = true;
      thread?.postMessage('lower-priority' satisfies Message);
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}

/** What comes from another thread are plain arrays of bytes. */
function withBuffers({ response, renderMs }: RenderedPage): RenderedPage {
  const { br, gzip, identity } = response.variants;
  return {
    response: {
      ...response,
      variants: { br: asBuffer(br), gzip: asBuffer(gzip), identity: asBuffer(identity) },
    },
    renderMs,
  };
}

function asBuffer(variant: Variant): Variant {
  const { buffer, byteOffset, byteLength } = variant.body;
  return { ...variant, body: Buffer.from(buffer, byteOffset, byteLength) };
}
