import { randomUUID } from 'node:crypto';
import type { RedisClient } from './redis-client.ts';

/** Deletes a lock only if its token is still ours: it may have expired, and be another instance's by now. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

export type ReleaseLock = () => Promise<unknown>;

/**
 * Acquires a lock (`SET NX PX`) that expires after `leaseMs`, also if its holder dies. Resolves with what releases it, or
 * null where another instance holds it. Without Redis every instance gets it.
 */
export async function acquireLock(
  client: RedisClient,
  key: string,
  leaseMs: number,
): Promise<ReleaseLock | null> {
  const token = randomUUID();
  const isAcquired = await client.run(
    async (redis) => (await redis.set(key, token, 'PX', leaseMs, 'NX')) === 'OK',
    true,
  );
  return isAcquired ? () => client.run((redis) => redis.eval(RELEASE, 1, key, token), null) : null;
}
