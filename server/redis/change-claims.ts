import type { RedisClient } from './redis-client.ts';

/** Longer than instances take to see the same change after each other. */
const KEPT_MS = 86_400_000;

/** Claims a change for this instance: resolves to true on the first one that sees it. Never rejects. */
export type ClaimChange = (id: string, digest: string) => Promise<boolean>;

/**
 * Returns what lets one of several instances act on a change that each of them sees. The last digest of each id is kept
 * in Redis (`SET ... GET`): whoever replaces another one is the first. While Redis is down every instance is.
 */
export function createChangeClaims(client: RedisClient, prefix: string): ClaimChange {
  return (id, digest) =>
    client.run(
      async (redis) => (await redis.set(`${prefix}:${id}`, digest, 'PX', KEPT_MS, 'GET')) !== digest,
      true,
    );
}
