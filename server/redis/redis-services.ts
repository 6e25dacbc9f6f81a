import { hash } from 'node:crypto';
import type { Bucket } from '#server/http/rate-limit.ts';
import { openRedisQueue, type RedisQueueOptions } from '#server/outbox/redis-queue.ts';
import { createStoredInstances } from './instance-samples.ts';
import { createChannel } from './policy-and-purge-channel.ts';
import { createRateLimitWindows } from './rate-limit-windows.ts';
import { connectRedis, type RedisClientOptions } from './redis-client.ts';
import { createSecondLevel } from './second-level.ts';

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
  const database = Number(new URL(url).pathname.slice(1));
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
    instances: createStoredInstances({ ...options, client }, `${prefix}:instances`),
    isUp: client.isUp,
    close() {
      channel.close();
      client.close();
      if (cacheClient !== client) cacheClient.close();
    },
  };
}
