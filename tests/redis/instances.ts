import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DEFAULT_POLICIES } from '#server/cache/default-policies.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Purge } from '#server/cache/purge.ts';
import { connectRedisServices } from '#server/redis/redis-services.ts';

/** The upstream of several instances. */
export interface SharedUpstream {
  calls: number;
  respond: () => Promise<string>;
}

/** The cache of one instance, and what it shares through Redis. */
export type Instance = Awaited<ReturnType<typeof startInstance>>;

export interface InstanceOptions {
  url: string;
  upstream: SharedUpstream;
  version?: string;
  /** Long, except in tests of the timeout: no other test depends on how busy its machine is. */
  timeoutMs?: number | undefined;
  since?: string | null;
}

/** Starts an instance with a clock of its own, which a test advances. */
export async function startInstance({
  url,
  upstream,
  version = 'test',
  timeoutMs = 5_000,
  since = null,
}: InstanceOptions) {
  let advancedMs = 0;
  const clock = () => performance.now() + advancedMs;
  const warnings: string[] = [];
  const redis = await connectRedisServices({
    url,
    clock,
    timeoutMs,
    version,
    site: ['https://cms.example.com', null],
    // The lock on a load lasts as long: a busy machine must not make another instance load as well.
    upstreamTimeoutMs: 30_000,
    logger: { warn: (_details, message) => void warnings.push(message) },
  });
  /** `beforeLoad`: runs after the look-up in Redis, before the lock. */
  const steps = { beforeLoad: async () => {} };
  const { secondLevel } = redis;
  const cache = createContentCache({
    policies: DEFAULT_POLICIES,
    maxBytes: 10_000_000,
    clock,
    random: () => 0.5,
    secondLevel: {
      ...secondLevel,
      async load(request) {
        await steps.beforeLoad();
        return secondLevel.load(request);
      },
    },
  });
  const latePurges: Purge[] = [];
  redis.syncInvalidations({
    cache,
    since,
    onPolicies: () => undefined,
    onLatePurge: (purge) => void latePurges.push(purge),
  });

  function query(name: string): CacheQuery<string> {
    return {
      resource: 'article',
      key: `article/${name}`,
      tags: () => [`post:${name}`],
      async load() {
        upstream.calls++;
        return upstream.respond();
      },
    };
  }

  return Object.assign(steps, {
    cache,
    redis,
    warnings,
    /** Purges of others that came too late for a CDN. */
    latePurges,
    read: (name: string): Promise<string> => cache.read(query(name), new DependencyTracker()),
    /** Advances the clock of this instance alone. */
    advance(seconds: number): void {
      advancedMs += seconds * 1_000;
    },
    /** Resolves when the invalidation stream was read: from then on entries are shared. */
    async isSharing(): Promise<void> {
      while (redis.lastKnownChange() === null) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    close: () => redis.close(),
  });
}

/** The upstream's 404. */
export const respondAbsent = () => Promise.reject(new Absent());
