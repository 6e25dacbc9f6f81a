import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Absent } from '#server/cache/cache-query.ts';
import type { Loaded, SecondLevel, SecondLevelLoad } from '#server/cache/second-level.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import type { RecentPurges } from './invalidation.ts';
import type { InvalidationStream } from './invalidation-stream.ts';
import { createLocks, type Lock } from './locks.ts';
import type { RedisClient } from './redis-client.ts';
import { STREAM_ID } from './stream-id.ts';

/** How often an instance looks whether another one has brought what it waits for, in milliseconds. */
const LOOK_EVERY_MS = 25;

/** A copy's bytes, the milliseconds it has left in Redis, and the last change in the log. */
const Found = z.tuple([
  z.instanceof(Buffer).nullable(),
  z.number(),
  z.array(z.tuple([z.string().regex(STREAM_ID), z.array(z.string())])),
]);

export interface RedisCacheOptions {
  link: RedisClient;
  log: Pick<InvalidationStream, 'key' | 'known' | 'catchUp'>;
  purges: Pick<RecentPurges, 'isAbout'>;
  prefix: string;
  /** Of our model: a copy of another version is none. */
  version: string;
  /** How long one load may take, in milliseconds: then another instance tries. */
  loadMs: number;
}

/**
 * The second cache tier: our own model in Redis, compressed, under its key. One instance asks the upstream, the others
 * take what it brings. A copy that was purged since, that is broken, foreign or of another version, is none; and without
 * Redis every instance asks for itself.
 */
export function createRedisCache(options: RedisCacheOptions): SecondLevel {
  const { link, log, purges, prefix, version, loadMs } = options;
  const leases = createLocks({ link, prefix, forMs: loadMs });
  const placeOf = (key: string) => `${prefix}:copy:${key}`;

  async function find(key: string): Promise<Loaded<unknown> | null> {
    if (log.known() === null) return null;
    const found = await link.ask(async (redis) => {
      const questions = redis.pipeline().getBuffer(placeOf(key)).pttl(placeOf(key));
      const responses = await questions.xrevrange(log.key, '+', '-', 'COUNT', 1).exec();
      return Found.parse(responses?.map(([, response]) => response));
    }, null);
    if (!found) return null;
    const [bytes, leftMs, [last]] = found;
    const copy = bytes && (await decodeEntry(bytes));
    if (copy?.key !== key || copy.version !== version) return null;
    if (last && !(await log.catchUp(last[0]))) return null;
    return purges.isAbout(copy) ? null : { value: copy.value, ageMs: Math.max(0, copy.keptMs - leftMs) };
  }

  /** A copy that is fresh, and news to who has one already. */
  async function findNews<T>({ key, freshMs, ageMs }: SecondLevelLoad<T>): Promise<Loaded<T> | null> {
    const copy = await find(key);
    if (!copy || copy.ageMs >= freshMs || (ageMs !== null && copy.ageMs >= ageMs)) return null;
    // What is under a request's key was made by the same request elsewhere.
    return { value: copy.value as T, ageMs: copy.ageMs };
  }

  async function keep<T>(
    { key, keptMs, tagsOf }: SecondLevelLoad<T>,
    value: T,
    since: string,
  ): Promise<void> {
    const lasts = Math.ceil(keptMs);
    if (lasts === 0) return;
    const bytes = await encodeEntry({ version, key, tags: tagsOf(value), since, keptMs: lasts, value });
    await link.ask((redis) => redis.set(placeOf(key), bytes, 'PX', lasts), null);
  }

  /** Nobody who reads waits until the others can have it. */
  async function loadForAll<T>(request: SecondLevelLoad<T>, lock: Lock | null): Promise<Loaded<T>> {
    const since = log.known();
    try {
      const value = await request.load();
      const kept = since === null ? Promise.resolve() : keep(request, value, since);
      void kept.finally(() => lock?.release());
      return { value, ageMs: 0 };
    } catch (error) {
      if (error instanceof Absent) await link.ask((redis) => redis.del(placeOf(request.key)), null);
      void lock?.release();
      throw error;
    }
  }

  return {
    find,

    async load(request) {
      if (request.bypass || log.known() === null || !link.isUp()) return loadForAll(request, null);
      // Who has no copy has just looked for one.
      let news = request.ageMs === null ? null : await findNews(request);
      for (;;) {
        if (news) return news;
        const lock = await leases.take(request.key);
        if (lock) return loadForAll(request, lock);
        await pause(LOOK_EVERY_MS);
        news = await findNews(request);
      }
    },
  };
}
