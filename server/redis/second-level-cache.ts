import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Absent } from '#server/cache/cache-query.ts';
import type { Loaded, SecondLevel, SecondLevelLoad } from '#server/cache/loading/second-level.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import type { InvalidationStream } from './invalidation-stream.ts';
import { acquireLock, type ReleaseLock } from './locks.ts';
import type { RecentPurges } from './recent-purges.ts';
import type { RedisClient } from './redis-client.ts';

/** How often an instance that waits for another one's load looks for its result. */
const POLL_MS = 25;

/** An entry's bytes, and the milliseconds until Redis drops it. */
const Stored = z.tuple([z.instanceof(Buffer).nullable(), z.number()]);

export interface SecondLevelCacheOptions {
  client: RedisClient;
  stream: Pick<InvalidationStream, 'lastKnownId'>;
  recentPurges: Pick<RecentPurges, 'concern'>;
  prefix: string;
  /** Of our model: an entry of another version counts as missing. */
  version: string;
  /** Expiry of the lock on a load, in milliseconds: another instance then loads. */
  leaseMs: number;
}

/**
 * Creates the second-level cache (L2): values of our own model in Redis, compressed, under their key. One instance loads
 * from the upstream, the others take its result. An entry that was purged since, that is damaged, foreign or of another
 * version counts as missing. Without Redis every instance loads for itself.
 */
export function createSecondLevelCache(options: SecondLevelCacheOptions): SecondLevel {
  const { client, stream, recentPurges, prefix, version, leaseMs } = options;
  const redisKey = (key: string) => `${prefix}:copy:${key}`;

  async function find(key: string): Promise<Loaded<unknown> | null> {
    if (stream.lastKnownId() === null) return null;
    const stored = await client.run(async (redis) => {
      const replies = await redis.pipeline().getBuffer(redisKey(key)).pttl(redisKey(key)).exec();
      return Stored.parse(replies?.map(([, reply]) => reply));
    }, null);
    const [bytes, expiresInMs] = stored ?? [null, 0];
    const entry = bytes && (await decodeEntry(bytes));
    if (entry?.key !== key || entry.version !== version || recentPurges.concern(entry)) return null;
    return { value: entry.value, ageMs: Math.max(0, entry.keptMs - expiresInMs) };
  }

  /** Resolves with an entry that is fresh and younger than the one cached here, or null. */
  async function findNewer<T>({ key, freshMs, ageMs }: SecondLevelLoad<T>): Promise<Loaded<T> | null> {
    const entry = await find(key);
    if (!entry || entry.ageMs >= freshMs || (ageMs !== null && entry.ageMs >= ageMs)) return null;
    // The same query on another instance stored it.
    return { value: entry.value as T, ageMs: entry.ageMs };
  }

  async function store<T>(
    { key, keptMs: exactMs, tagsOf }: SecondLevelLoad<T>,
    value: T,
    since: string,
  ): Promise<void> {
    const keptMs = Math.ceil(exactMs);
    if (keptMs === 0) return;
    const bytes = await encodeEntry({ version, key, tags: tagsOf(value), since, keptMs, value });
    await client.run((redis) => redis.set(redisKey(key), bytes, 'PX', keptMs), null);
  }

  /** Loads from the upstream. The value is stored in the background: no reader waits for that. */
  async function loadAndStore<T>(
    request: SecondLevelLoad<T>,
    release: ReleaseLock | null,
  ): Promise<Loaded<T>> {
    const since = stream.lastKnownId();
    try {
      const value = await request.load();
      const storing = since === null ? Promise.resolve() : store(request, value, since);
      void storing.finally(() => release?.());
      return { value, ageMs: 0 };
    } catch (error) {
      if (error instanceof Absent) await client.run((redis) => redis.del(redisKey(request.key)), null);
      void release?.();
      throw error;
    }
  }

  return {
    find,

    async load(request) {
      if (request.bypass || stream.lastKnownId() === null || !client.isUp())
        return loadAndStore(request, null);
      for (;;) {
        const release = await acquireLock(client, `${prefix}:lease:${request.key}`, leaseMs);
        const newer = await findNewer(request);
        if (newer) {
          void release?.();
          return newer;
        }
        // Looked up with the lock held: another instance may have loaded, and released it, since the last look-up.
        if (release) return loadAndStore(request, release);
        await pause(POLL_MS);
      }
    },
  };
}
