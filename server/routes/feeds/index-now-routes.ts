import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { createIndexNow, sendToIndexNow } from '#server/feeds/index-now.ts';
import type { Tracing } from '#server/tracing/tracing.ts';
import { addTextRoute } from './text-route.ts';

export interface IndexNowOptions {
  config: Pick<Config, 'indexNowKey' | 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read' | 'onNewValue'>;
  logger: Logger;
  /** Wall milliseconds. */
  wallClock: () => number;
  tracing: Tracing;
}

/** With an `INDEXNOW_KEY`: serves the key's file and announces new and changed articles (indexnow.org). */
export async function indexNow(app: FastifyInstance, options: IndexNowOptions): Promise<void> {
  const { config, queries, cache, logger, wallClock, tracing } = options;
  const key = config.indexNowKey;
  if (key === null) return;

  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const { changed, start } = createIndexNow({
    key,
    origin: config.publicOrigin,
    latest: () => cache.read(queries.latest(), new DependencyTracker()),
    send: (announcement) => sendToIndexNow(announcement, tracing),
    later: (work, ms) =>
      void pause(ms, undefined, { signal: stopping.signal, ref: false }).then(work, () => undefined),
    now: wallClock,
    logger,
  });
  cache.onNewValue(({ key: cacheKey }) => changed(cacheKey));
  void start();

  addTextRoute(app, `/${key}.txt`, 'text/plain; charset=utf-8', () => key);
}
