import { hash } from 'node:crypto';
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { RedisLink } from './redis-link.ts';

/** Readers that are counted here at once. */
const READERS = 20_000;
/** How often what was counted here is told to the others. */
const TELL_MS = 100;

const Answer = z.tuple([z.number().int().nonnegative(), z.unknown(), z.number().int()]);

/** One reader's requests since their minute began. */
interface Count {
  here: number;
  untold: number;
  elsewhere: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

export interface SharedLimitsOptions {
  link: RedisLink;
  prefix: string;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Whether a reader waits until all instances agree: posts are few, and their limit is small. */
  isExact: (key: string) => boolean;
}

/**
 * Counts of readers that all instances share, as the store of the rate limit. A read is counted here and told to the
 * others a little later, so that no warm page waits for Redis; a post is counted in Redis before it is let in. Without
 * Redis each instance counts for itself.
 */
export function createSharedLimits({
  link,
  prefix,
  clock,
  isExact,
}: SharedLimitsOptions): FastifyRateLimitStoreCtor {
  const counts = new LRUCache<string, Count>({ max: READERS });
  const untold = new Map<string, Count>();

  function countOf(key: string, windowMs: number): Count {
    const known = counts.get(key);
    if (known && clock() < known.endsAt) return known;
    const count = { here: 0, untold: 0, elsewhere: 0, endsAt: clock() + windowMs };
    counts.set(key, count);
    return count;
  }

  /** The minute begins with the first request anywhere, and Redis knows when that was. */
  async function tell(key: string, count: Count, windowMs: number): Promise<void> {
    const news = count.untold;
    count.untold = 0;
    // An address says who somebody is; its hash will do to tell readers apart for a minute.
    const place = `${prefix}:limit:${hash('sha256', key, 'base64url')}`;
    const answer = await link.ask(async (redis) => {
      const answers = await redis
        .multi()
        .incrby(place, news)
        .pexpire(place, windowMs, 'NX')
        .pttl(place)
        .exec();
      return Answer.parse(answers?.map(([, one]) => one));
    }, null);
    if (!answer) return;
    const [all, , leftMs] = answer;
    count.elsewhere = Math.max(0, all - count.here + count.untold);
    if (leftMs > 0) count.endsAt = clock() + Math.min(leftMs, windowMs);
  }

  function tellSoon(key: string, count: Count, windowMs: number): void {
    if (untold.size === 0) setTimeout(tellAll, TELL_MS, windowMs).unref();
    untold.set(key, count);
  }

  function tellAll(windowMs: number): void {
    for (const [key, count] of untold) void tell(key, count, windowMs);
    untold.clear();
  }

  async function counted(key: string, windowMs: number): Promise<{ current: number; ttl: number }> {
    const count = countOf(key, windowMs);
    count.here++;
    count.untold++;
    if (isExact(key)) await tell(key, count, windowMs);
    else tellSoon(key, count, windowMs);
    return { current: count.here + count.elsewhere, ttl: Math.max(0, count.endsAt - clock()) };
  }

  /** As the plugin makes its store. */
  return class SharedLimits {
    incr(
      key: string,
      callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
      windowMs = 60_000,
    ): void {
      counted(key, windowMs).then((result) => callback(null, result), callback);
    }
    child(): SharedLimits {
      return this;
    }
  };
}

/** A store as the rate limit takes one. */
export type RateLimitStore = FastifyRateLimitStoreCtor;
