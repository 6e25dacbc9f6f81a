import { hash } from 'node:crypto';
import type { SharedLoads } from '#server/cache/second-level.ts';
import type { Bucket, SharedWindows } from '#server/http/rate-limit/rate-limit-store.ts';
import { createStreamOutbox, type StreamOutbox } from '#server/outbox/redis-stream/stream-outbox.ts';
import { site as publication } from '#shared/site.ts';
import { createSharedPurges, type SharedChangesOptions, shareChanges } from './invalidation.ts';
import { createChangeLog } from './invalidation-stream.ts';
import { createRateLimitWindows } from './rate-limit-windows.ts';
import { shareCopies } from './redis-cache.ts';
import { linkRedis, type RedisLinkOptions } from './redis-client.ts';

/** What several instances share through Redis (`docs/decisions/0013`). */
export interface SharedTier {
  loads: SharedLoads;
  rateLimitWindows: (bucket: Bucket) => SharedWindows;
  /** The outbox of all instances. */
  outbox: StreamOutbox;
  /** Begins to share what operators change. */
  shareChanges(options: Omit<SharedChangesOptions, 'log'>): void;
  /** Whether Redis is asked now. */
  isUp(): boolean;
  /** The last change that is known here, for a snapshot to begin from; null where that cannot be said. */
  knownChange(): string | null;
  close(): void;
}

export interface SharedTierOptions extends RedisLinkOptions {
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
export async function joinSharedTier(options: SharedTierOptions): Promise<SharedTier> {
  const { site, version, upstreamTimeoutMs } = options;
  const link = await linkRedis(options);
  const prefix = `${publication.identifiers.redisPrefix}:${hash('sha256', JSON.stringify(site), 'hex').slice(0, 16)}`;
  const log = createChangeLog(link, prefix);
  const purges = createSharedPurges();
  return {
    loads: shareCopies({
      link,
      log,
      purges,
      prefix,
      version,
      loadMs: upstreamTimeoutMs + AROUND_LOAD_MS,
    }),
    rateLimitWindows: (bucket) => createRateLimitWindows(link, `${prefix}:rate-limit:${bucket}`),
    outbox: createStreamOutbox({ link, prefix, idleMs: 5 * upstreamTimeoutMs + AROUND_ATTEMPTS_MS }),
    shareChanges: (changes) => shareChanges({ log, ...changes }, purges),
    isUp: link.isUp,
    knownChange: log.known,
    close() {
      log.close();
      link.close();
    },
  };
}
