import { randomUUID } from 'node:crypto';
import type { RedisClient } from './redis-client.ts';

/** The right to load a key, until it is given back or its time is over. */
export interface Lock {
  release(): Promise<void>;
}

export interface LocksOptions {
  link: RedisClient;
  prefix: string;
  /** When the right of an instance that says nothing more ends, in milliseconds. */
  forMs: number;
}

/** Deletes a lease that is still one's own: it may have ended, and be another's by now. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** One instance at a time loads a key. Without Redis each may. */
export function createLocks({ link, prefix, forMs }: LocksOptions) {
  return {
    /** Null where another instance has it. */
    async take(key: string): Promise<Lock | null> {
      const place = `${prefix}:lease:${key}`;
      const token = randomUUID();
      const taken = await link.ask(
        async (redis) => (await redis.set(place, token, 'PX', forMs, 'NX')) === 'OK',
        true,
      );
      if (!taken) return null;
      return {
        async release() {
          await link.ask((redis) => redis.eval(RELEASE, 1, place, token), null);
        },
      };
    },
  };
}
