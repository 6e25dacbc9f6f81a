import type { RenderQueueOptions } from '#server/render/render-queue.ts';
import { type RenderBundle, type Renderer, renderResponse } from '#server/render/render-response.ts';

/**
 * Returns a renderer on this thread: a render thread takes 80 of the 215 ms of processor time of a site that renders one
 * page, and its low priority would make tests depend on how busy the machine is.
 */
export function renderOnThisThread({ assets, worker }: RenderQueueOptions): Renderer {
  const bundle: Promise<RenderBundle> = import(new URL('entry-server.js', worker).href);
  let queueLength = 0;
  return {
    started: Promise.resolve(),
    async render(page) {
      queueLength++;
      return renderResponse(await bundle, assets, page).finally(() => queueLength--);
    },
    queueLength: () => queueLength,
    close: async () => undefined,
  };
}
