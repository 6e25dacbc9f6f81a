import { hash } from 'node:crypto';
import type { SecondLevel } from '#server/cache/second-level.ts';
import type { Bucket, SharedWindows } from '#server/http/rate-limit/rate-limit-store.ts';
import { createStreamOutbox, type StreamOutbox } from '#server/outbox/redis-stream/stream-outbox.ts';
import { site as publication } from '#shared/site.ts';
import { createRecentPurgeCheck, type InvalidationOptions, shareInvalidations } from './invalidation.ts';
import { createInvalidationStream } from './invalidation-stream.ts';
import { createRateLimitWindows } from './rate-limit-windows.ts';
import { createRedisCache } from './redis-cache.ts';
import { connectRedis, type RedisClientOptions } from './redis-client.ts';

/** What several instances share through Redis (`docs/decisions/0013`). */
export interface SecondLevelCache {
  loads: SecondLevel;
  rateLimitWindows: (bucket: Bucket) => SharedWindows;
  /** The outbox of all instances. */
  outbox: StreamOutbox;
  /** Begins to share what operators change. */
  shareInvalidations(options: Omit<InvalidationOptions, 'log'>): void;
  /** Whether Redis is asked now. */
  isUp(): boolean;
  /** The last change that is known here, for a snapshot to begin from; null where that cannot be said. */
  knownChange(): string | null;
  close(): void;
}

export interface SecondLevelCacheOptions extends RedisClientOptions {
  /** What tells one site's data in Redis from another's: the upstream, and where images come from. */
  site: readonly (string | null)[];
  /** Of our model. */
  version: string;
  upstreamTimeoutMs: number;
}

/** A load may need one more moment than its call. */
const AROUND_LOAD_MS = 500;
/** Three attempts of a sender's earlier submissions may precede that of one which is in hand already, and its turn. */
const AROUND_ATTEMPTS_MS = 5_000;

/** Connects in the background: a Redis that is away at the start is as good as one that goes later. */
export async function openSecondLevelCache(options: SecondLevelCacheOptions): Promise<SecondLevelCache> {
  const { site, version, upstreamTimeoutMs } = options;
  const link = await connectRedis(options);
  const prefix = `${publication.identifiers.redisPrefix}:${hash('sha256', JSON.stringify(site), 'hex').slice(0, 16)}`;
  const log = createInvalidationStream(link, prefix);
  const purges = createRecentPurgeCheck();
  return {
    loads: createRedisCache({
      link,
      log,
      purges,
      prefix,
      version,
      loadMs: upstreamTimeoutMs + AROUND_LOAD_MS,
    }),
    rateLimitWindows: (bucket) => createRateLimitWindows(link, `${prefix}:rate-limit:${bucket}`),
    outbox: createStreamOutbox({ link, prefix, idleMs: 5 * upstreamTimeoutMs + AROUND_ATTEMPTS_MS }),
    shareInvalidations: (changes) => shareInvalidations({ log, ...changes }, purges),
    isUp: link.isUp,
    knownChange: log.known,
    close() {
      log.close();
      link.close();
    },
  };
}
