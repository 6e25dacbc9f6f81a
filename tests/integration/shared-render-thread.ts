import { pino } from 'pino';
import { createRenderQueue, type RenderQueueOptions } from '#server/render/render-queue.ts';
import type { Renderer } from '#server/render/renderer.ts';

/** By the assets of its documents. They end with this process, which test runners end themselves. */
const threads = new Map<string, Renderer>();
const logger = pino({ level: 'error' });

/**
 * Returns a renderer on the render thread of all sites of this process with the same assets: one of its own takes 80 of
 * the 215 ms of processor time of a site that renders one page.
 */
export function shareRenderThread(options: RenderQueueOptions): Renderer {
  const key = JSON.stringify(options.assets);
  const thread = threads.get(key) ?? createRenderQueue({ ...options, logger, isLowPriority: false });
  threads.set(key, thread);
  let queueLength = 0;
  return {
    async render(page) {
      queueLength++;
      return thread.render(page).finally(() => queueLength--);
    },
    queueLength: () => queueLength,
    close: async () => undefined,
  };
}
