import { randomUUID } from 'node:crypto';
import type { RedisClient } from './redis-client.ts';

/** A lock that this instance holds until it releases it or its lease expires. */
export interface Lock {
  release(): Promise<void>;
}

export interface LocksOptions {
  client: RedisClient;
  prefix: string;
  /** Expiry of a lock whose holder died, in milliseconds. */
  leaseMs: number;
}

/** Deletes a lock only if its token is still ours: it may have expired, and be another instance's by now. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** Creates locks (`SET NX PX`) that let one instance at a time load a key. Without Redis every instance gets them. */
export function createLocks({ client, prefix, leaseMs }: LocksOptions) {
  return {
    /** Null where another instance holds the lock. */
    async acquire(key: string): Promise<Lock | null> {
      const lockKey = `${prefix}:lease:${key}`;
      const token = randomUUID();
      const isAcquired = await client.run(
        async (redis) => (await redis.set(lockKey, token, 'PX', leaseMs, 'NX')) === 'OK',
        true,
      );
      if (!isAcquired) return null;
      return {
        async release() {
          await client.run((redis) => redis.eval(RELEASE, 1, lockKey, token), null);
        },
      };
    },
  };
}
