import type { Redis } from 'ioredis';
import { z } from 'zod';

/** A Redis that writes its append-only file once a second is waited for so long, in milliseconds. */
const WAIT_MS = 2_000;
/** How many servers have the append-only file on disk: this one, and its replicas. */
const Synced = z.tuple([z.number().min(1)]).rest(z.unknown());

/**
 * Returns a check whether what was written to Redis so far is in its append-only file on disk (`WAITAOF`). `redis` is a
 * connection of its own, since `WAITAOF` blocks it; callers during a check share the next one. True before Redis 7.2 and
 * without an append-only file: the reply to the write is all that there is. False where Redis does not reply in time.
 */
export function createDurabilityCheck(redis: Pick<Redis, 'set' | 'call'>, key: string) {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | null = null;

  async function check(): Promise<boolean> {
    try {
      // The file is in the order of the writes: those before this one are in it when this one is.
      await redis.set(key, '1');
      return Synced.safeParse(await redis.call('WAITAOF', 1, 0, WAIT_MS)).success;
    } catch (error) {
      return error instanceof Error && /unknown command|appendonly is disabled/i.test(error.message);
    }
  }

  return function isDurable(): Promise<boolean> {
    next ??= running.then(() => {
      next = null;
      const checked = check();
      running = checked;
      return checked;
    });
    return next;
  };
}
