import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bucket } from '#server/http/rate-limit/rate-limit-store.ts';
import { createStreamOutbox } from '#server/outbox/redis-stream/stream-outbox.ts';
import { site as publication } from '#shared/site.ts';
import { createChangeClaims } from './change-claims.ts';
import { createInstanceRegistry, REACH_TIMEOUT_MS } from './instance-registry.ts';
import { createInvalidationStream, LATE_MS } from './invalidation-stream.ts';
import { type InvalidationSyncOptions, syncInvalidations } from './invalidation-sync.ts';
import { createRateLimitWindows } from './rate-limit-windows.ts';
import { createRecentPurges } from './recent-purges.ts';
import { connectRedis, type RedisClientOptions } from './redis-client.ts';
import { createSecondLevelCache } from './second-level-cache.ts';

/** What several instances share through Redis (`docs/decisions/0013`). */
export type RedisServices = Awaited<ReturnType<typeof connectRedisServices>>;

export interface RedisServicesOptions extends RedisClientOptions {
  /** What tells one site's keys in Redis from another's: the upstream, and where images come from. */
  site: readonly (string | null)[];
  /** Of our model. */
  version: string;
  upstreamTimeoutMs: number;
}

/** Added to the upstream timeout: a load takes a little longer than its call. */
const LEASE_MARGIN_MS = 500;
/** Three attempts of a sender's earlier submissions, and their throttling, may precede that of one already claimed. */
const CLAIM_MARGIN_MS = 5_000;

/** Connects in the background: a Redis that is away at the start is handled like one that goes away later. */
export async function connectRedisServices(options: RedisServicesOptions) {
  const { site, version, upstreamTimeoutMs } = options;
  const client = await connectRedis(options);
  const prefix = `${publication.identifiers.redisPrefix}:${hash('sha256', JSON.stringify(site), 'hex').slice(0, 16)}`;
  const lateMs = Math.max(LATE_MS, options.timeoutMs ?? 0);
  const stream = createInvalidationStream(client, prefix, options.clock, lateMs);
  const recentPurges = createRecentPurges();
  const leaseMs = upstreamTimeoutMs + LEASE_MARGIN_MS;
  return {
    secondLevel: createSecondLevelCache({ client, stream, recentPurges, prefix, version, leaseMs }),
    rateLimitWindows: (bucket: Bucket) => createRateLimitWindows(client, `${prefix}:rate-limit:${bucket}`),
    /** The outbox of all instances. */
    outbox: createStreamOutbox({ client, prefix, idleMs: 5 * upstreamTimeoutMs + CLAIM_MARGIN_MS }),
    /** Starts to share what operators change. */
    syncInvalidations: (changes: Omit<InvalidationSyncOptions, 'stream' | 'recentPurges'>) =>
      syncInvalidations({ stream, recentPurges, ...changes }),
    /** Who else runs, and what has reached them. */
    instances: createInstanceRegistry({
      client,
      stream,
      prefix,
      clock: options.clock,
      reachTimeoutMs: Math.max(REACH_TIMEOUT_MS, options.timeoutMs ?? 0),
    }),
    /** Lets one of the instances purge the CDN for a change that all of them see. */
    claimCdnPurge: createChangeClaims(client, `${prefix}:cdn`),
    /** Tells the other instances that a key has another value: they refresh it. */
    announceNewValue: (key: string) =>
      stream.send({ what: 'purge', tags: [], keys: [key], all: false, soft: true }),
    isUp: client.isUp,
    /** Resolves when the second-level cache is in use, or after `ms`. */
    inUse: (ms: number) => Promise.race([stream.firstRead, pause(ms, undefined, { ref: false })]),
    /** Id of the last invalidation that is known here, for a snapshot; null where that cannot be said. */
    lastKnownChange: stream.lastKnownId,
    close() {
      stream.close();
      client.close();
    },
  };
}
