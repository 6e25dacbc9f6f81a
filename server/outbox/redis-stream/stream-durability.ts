import type { Redis } from 'ioredis';
import { z } from 'zod';

/** A server that writes its append-only file once a second is waited for so long, in milliseconds. */
const WAIT_MS = 2_000;
/** How many servers have the append-only file on disk: this one, and its replicas. */
const Synced = z.tuple([z.number().min(1)]).rest(z.unknown());

/**
 * Tells whether what was written to a Redis so far is in its append-only file on disk (`WAITAOF`). `redis` is a connection
 * of its own, for whoever waits holds up everything on it; those who ask meanwhile share the next answer. Before Redis 7.2
 * and without an append-only file the answer to the write is all there is: true. False where it does not say so in time.
 */
export function createDurabilityCheck(redis: Pick<Redis, 'set' | 'call'>, key: string) {
  let asking: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;

  async function ask(): Promise<boolean> {
    try {
      // The file is written in order: what was written before stands before this.
      await redis.set(key, '1');
      return Synced.safeParse(await redis.call('WAITAOF', 1, 0, WAIT_MS)).success;
    } catch (error) {
      return error instanceof Error && /unknown command|appendonly is disabled/i.test(error.message);
    }
  }

  return function isDurable(): Promise<boolean> {
    if (asking) {
      next ??= asking.then(() => {
        next = null;
        return isDurable();
      });
      return next;
    }
    asking = ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}
