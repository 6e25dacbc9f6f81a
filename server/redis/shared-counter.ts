import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { MINUTE_MS, READERS, type ReaderMinute } from '#server/plugins/request-counter.ts';
import type { RedisLink } from './redis-link.ts';

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

export interface SharedCounterOptions {
  link: RedisLink;
  /** Of the keys in Redis: counters of one kind share it. */
  prefix: string;
  /** Monotonic milliseconds. */
  clock: () => number;
}

/**
 * Counts of readers that all instances share. `countSoon` counts here and tells the others a little later, so that no
 * warm page waits for Redis; `countExactly` asks them first. Without Redis each instance counts for itself.
 */
export function createSharedCounter({ link, prefix, clock }: SharedCounterOptions) {
  const counts = new LRUCache<string, Count>({ max: READERS });
  const untold = new Map<string, Count>();

  function add(reader: string): Count {
    const now = clock();
    let count = counts.get(reader);
    if (!count || now >= count.endsAt) {
      count = { here: 0, untold: 0, elsewhere: 0, endsAt: now + MINUTE_MS };
      counts.set(reader, count);
    }
    count.here++;
    count.untold++;
    return count;
  }

  /** The minute begins with the first request anywhere, and Redis knows when that was. */
  async function tell(reader: string, count: Count): Promise<void> {
    const news = count.untold;
    count.untold = 0;
    // An address says who somebody is; its hash will do to tell readers apart for a minute.
    const place = `${prefix}:${hash('sha256', reader, 'base64url')}`;
    const answer = await link.ask(async (redis) => {
      const answers = await redis
        .multi()
        .incrby(place, news)
        .pexpire(place, MINUTE_MS, 'NX')
        .pttl(place)
        .exec();
      return Answer.parse(answers?.map(([, one]) => one));
    }, null);
    if (!answer) return;
    const [all, , leftMs] = answer;
    count.elsewhere = Math.max(0, all - count.here + count.untold);
    if (leftMs > 0) count.endsAt = clock() + Math.min(leftMs, MINUTE_MS);
  }

  function tellAll(): void {
    for (const [reader, count] of untold) void tell(reader, count);
    untold.clear();
  }

  const minuteOf = ({ here, elsewhere, endsAt }: Count): ReaderMinute => ({
    requests: here + elsewhere,
    endsAt,
  });

  return {
    countSoon(reader: string): ReaderMinute {
      const count = add(reader);
      if (untold.size === 0) setTimeout(tellAll, TELL_MS).unref();
      untold.set(reader, count);
      return minuteOf(count);
    },
    async countExactly(reader: string): Promise<ReaderMinute> {
      const count = add(reader);
      await tell(reader, count);
      return minuteOf(count);
    },
  };
}
