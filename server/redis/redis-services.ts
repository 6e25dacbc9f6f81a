import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Bucket, type SharedWindows, WINDOW_MS } from '#server/http/rate-limit.ts';
import { openRedisQueue, type RedisQueueOptions } from '#server/outbox/redis-queue.ts';
import { createStoredInstances } from './instance-samples.ts';
import { createChannel } from './policy-and-purge-channel.ts';
import { connectRedis, type RedisClient, type RedisClientOptions } from './redis-client.ts';
import { createSecondLevel } from './second-level.ts';

const Count = z.int().nonnegative();

/** What several instances share through Redis. */
export type RedisServices = Awaited<ReturnType<typeof connectRedisServices>>;

export interface RedisServicesOptions extends RedisClientOptions {
  /** Where the second level is kept. */
  cacheUrl: string;
  /** What tells one site's keys in Redis from another's: the upstream, and where images come from. */
  site: readonly (string | null)[];
  /** Of our model. */
  version: string;
}

/** Connects in the background: a Redis that is away at the start is handled like one that goes away later. */
export async function connectRedisServices(options: RedisServicesOptions) {
  const { url, cacheUrl, site, version } = options;
  const client = await connectRedis(options);
  const cacheClient = cacheUrl === url ? client : await connectRedis({ ...options, url: cacheUrl });
  const prefix = `meridian:${hash('sha256', JSON.stringify(site), 'hex').slice(0, 16)}`;
  // A server has one set of channels for all its databases.
  const { database } = client;
  const channel = createChannel({
    ...options,
    client,
    channel: `${prefix}:channel${database === 0 ? '' : `:${database}`}`,
    overridesKey: `${prefix}:overrides`,
  });
  return {
    secondLevel: createSecondLevel({
      client: cacheClient,
      prefix: `${prefix}:cache`,
      version,
      lastPurge: channel.lastPurge,
    }),
    rateLimitWindows: (bucket: Bucket) => createRateLimitWindows(client, `${prefix}:rate-limit:${bucket}`),
    channel,
    openQueue: (queueOptions: Omit<RedisQueueOptions, 'client' | 'prefix'>) =>
      openRedisQueue({ ...queueOptions, client, prefix: `${prefix}:queue` }),
    instances: createStoredInstances(client, `${prefix}:instances`),
    isUp: () => client.isUp() && channel.isSubscribed(),
    close() {
      channel.close();
      client.close();
      if (cacheClient !== client) cacheClient.close();
    },
  };
}

/** Creates the rate limit windows in which all instances count together. `prefix`: of one bucket's keys. */
export function createRateLimitWindows(client: Pick<RedisClient, 'run'>, prefix: string): SharedWindows {
  return {
    count: (ip) =>
      client.run(async (redis) => {
        // Hashed, because an IP address is personal data.
        const key = `${prefix}:${hash('sha256', ip, 'base64url')}`;
        // `LT`: also where Redis' clock was set back, which would make the window longer by as much.
        // A transaction: a window neither ends in between, nor stays without an end where the connection does.
        const counting = redis.multi().incr(key).pexpire(key, WINDOW_MS, 'LT').pttl(key);
        const [requests, , endsInMs] = ((await counting.exec()) ?? []).map(([error, reply]) => {
          if (error) throw error;
          return reply;
        });
        return { requests: Count.parse(requests), endsInMs: Count.parse(endsInMs) };
      }, null),
  };
}
