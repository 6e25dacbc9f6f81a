import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import PQueue from 'p-queue';
import type { PageResponses } from './page-responses.ts';

/** Leaves the upstream and the event loop to readers who come during the start. */
const MAX_CONCURRENT_PAGES = 4;

export interface CacheWarmingOptions {
  pages: Pick<PageResponses, 'serve'>;
  warmUpTargets: readonly string[];
}

/** Once the app listens: renders the pages to warm until the app closes. */
export const cacheWarming = fp(
  async (app: FastifyInstance, { pages, warmUpTargets }: CacheWarmingOptions): Promise<void> => {
    const stopping = new AbortController();
    app.addHook('onListen', async () => {
      void warmResponseCache(warmUpTargets, pages.serve, stopping.signal);
    });
    app.addHook('preClose', async () => stopping.abort());
  },
  { name: 'cache-warming' },
);

/**
 * Renders pages in the order given, so that data of theirs that went stale during the restart is loaded before anybody
 * waits for it. A page that fails is left to its next reader. Starts no more once `signal` is aborted.
 */
export async function warmResponseCache(
  targets: readonly string[],
  render: (target: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const queue = new PQueue({ concurrency: MAX_CONCURRENT_PAGES });
  await Promise.allSettled(targets.map((target) => queue.add(() => render(target), { signal })));
}
