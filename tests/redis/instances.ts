import type { Purge } from '#server/cache/cache-events.ts';
import { Absent, type CacheQuery } from '#server/cache/cache-query.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES, type PolicyChanges } from '#server/cache/policies.ts';
import { createRecentChanges } from '#server/ops/change-log.ts';
import { createStoredInstances } from '#server/redis/instance-samples.ts';
import { createChannel } from '#server/redis/policy-and-purge-channel.ts';
import { connectRedis } from '#server/redis/redis-client.ts';
import { createSecondLevel } from '#server/redis/second-level.ts';
import { clockAhead } from '../fixtures/clocks.ts';

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
  /** How long a reader waits for Redis. Long, except in tests of that: no other test depends on how busy its machine is. */
  timeoutMs?: number | undefined;
  since?: string | null;
  purges?: readonly Purge[];
  /** The channel has replies of commands only after it. */
  replies?: Promise<unknown>;
  /** How far its wall clock is ahead of that of the others (ms). */
  wallAheadMs?: number;
  /** What it has kept on its disk. */
  policies?: PolicyChanges;
  /** Deadline of commands (ms). Long, except in tests of a silent Redis. */
  commandTimeoutMs?: number | undefined;
  /** Whether the replies to the channel's commands are lost, as by a deadline. */
  losesReplies?: () => boolean;
}

/** Starts an instance with a clock of its own, which a test advances. */
export async function startInstance({
  url,
  upstream,
  version = 'test',
  timeoutMs = 5_000,
  since = null,
  purges = [],
  replies,
  wallAheadMs = 0,
  policies = {},
  commandTimeoutMs = 30_000,
  losesReplies = () => false,
}: InstanceOptions) {
  const clock = clockAhead();
  clock.wallAheadMs = wallAheadMs;
  const warnings: object[] = [];
  const logger = { warn: (details: object) => void warnings.push(details) };
  const client = await connectRedis({ url, clock, logger, commandTimeoutMs });
  const channel = createChannel({
    client: {
      connect: client.connect,
      async attempt(command, fallback, ...timeout) {
        const reply = await client.attempt(command, fallback, ...timeout);
        await replies;
        return losesReplies() ? fallback : reply;
      },
    },
    clock,
    channel: 'test:channel',
    overridesKey: 'test:overrides',
  });
  const { lastPurge } = channel;
  const cache = createContentCache({
    policies: DEFAULT_POLICIES,
    maxBytes: 10_000_000,
    clock,
    random: () => 0.5,
    secondLevel: createSecondLevel({
      client: { run: (command, fallback) => client.run(command, fallback, timeoutMs) },
      prefix: 'test:cache',
      version,
      lastPurge,
    }),
  });
  cache.policies.replace(policies);
  const changes = createRecentChanges();
  channel.listen({ cache, changes, since, purges });

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

  return {
    cache,
    changes,
    channel,
    client,
    instances: createStoredInstances(client, 'test:instances'),
    warnings,
    read: (name: string): Promise<string> => cache.read(query(name), new DependencyTracker()),
    /** Advances the clock of this instance alone. */
    advance(seconds: number): void {
      clock.monotonicAheadMs += seconds * 1_000;
    },
    /** Resolves when what is in force was read: from then on entries are shared. */
    async isSharing(): Promise<void> {
      while (channel.lastPurge() === null || !client.isUp())
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
    close(): void {
      channel.close();
      client.close();
    },
  };
}

/** The upstream's 404. */
export const respondAbsent = () => Promise.reject(new Absent());
