import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import type { SecondLevel } from '#server/cache/loading/cache-loader.ts';
import { jsonText, READ_TIMEOUT_MS, type RedisClient } from './redis-client.ts';

/** Of a decompressed entry: more than any of ours, less than what would block the event loop. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Anybody can think of a search: sharing it would fill Redis with what nobody reads twice. */
const NOT_SHARED = 'search/';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const EntryText = jsonText(
  z.object({
    version: z.string(),
    stamp: z.string(),
    /** The expiry it was stored with, in milliseconds. Minus the remaining one (`PTTL`): its age, by Redis' clock alone. */
    keptMs: z.number().positive(),
    value: z.unknown(),
  }),
);
/** An entry's bytes, and the milliseconds until Redis drops it. */
const Stored = z.tuple([z.instanceof(Buffer).nullable(), z.number()]);

export interface SecondLevelOptions {
  client: Pick<RedisClient, 'run'>;
  /** Of the entries' keys. */
  prefix: string;
  /** Of our model: an entry of another version counts as missing. */
  version: string;
  /** Returns the id of the last purge of any instance; null while that is not known. */
  lastPurge: () => string | null;
}

/**
 * Creates the second-level cache (L2): values of our own model in Redis, compressed, under their key. A value is looked
 * for once and stored after a load; instances do not wait for each other. A purge makes all that was loaded before it
 * count as missing, since the tags of what is in Redis alone are not known.
 */
export function createSecondLevel({ client, prefix, version, lastPurge }: SecondLevelOptions): SecondLevel {
  async function store(key: string, value: unknown, keptMs: number, stamp: string): Promise<void> {
    const text = JSON.stringify({ version, stamp, keptMs, value });
    const bytes = await compress(text, { level: constants.Z_BEST_SPEED });
    await client.run((redis) => redis.set(`${prefix}:${key}`, bytes, 'PX', keptMs), null);
  }

  return {
    async get(key) {
      const stamp = lastPurge();
      if (stamp === null || key.startsWith(NOT_SHARED)) return null;
      const redisKey = `${prefix}:${key}`;
      const stored = await client.run(
        async (redis) => Stored.parse(await Promise.all([redis.getBuffer(redisKey), redis.pttl(redisKey)])),
        null,
        READ_TIMEOUT_MS,
      );
      const [bytes, expiresInMs] = stored ?? [null, 0];
      if (bytes === null) return null;
      // gzip's own checksum (RFC 1952) tells whether it is whole.
      const text = await decompress(bytes, { maxOutputLength: MAX_BYTES }).catch(() => null);
      const entry = EntryText.safeParse(text?.toString('utf8')).data;
      if (entry?.version !== version || entry.stamp !== lastPurge()) return null;
      // Redis' clock was set back: nobody knows its age.
      if (expiresInMs > entry.keptMs) return null;
      return { value: entry.value, ageMs: Math.max(0, entry.keptMs - expiresInMs) };
    },
    set(key, value, keptMs, stamp) {
      if (stamp === null || stamp !== lastPurge() || keptMs < 1 || key.startsWith(NOT_SHARED)) return;
      // What cannot be compressed is not shared.
      store(key, value, Math.ceil(keptMs), stamp).catch(() => undefined);
    },
    stamp: lastPurge,
    delete(key) {
      void client.run((redis) => redis.del(`${prefix}:${key}`), null);
    },
  };
}
