import { hash } from 'node:crypto';
import { z } from 'zod';
import { type SharedWindows, WINDOW_MS } from '#server/http/rate-limit/rate-limit-store.ts';
import type { RedisClient } from './redis-client.ts';

/**
 * Adds to each window, and returns its requests and the milliseconds until it ends: a minute after its first request.
 * The expiry is also set where there is none or a later one, as after a step of Redis' clock.
 */
const ADD = `
local windows = {}
for i, key in ipairs(KEYS) do
  local requests = redis.call('INCRBY', key, ARGV[i + 1])
  local left = redis.call('PTTL', key)
  if left < 0 or left > tonumber(ARGV[1]) then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  windows[i] = { requests, left }
end
return windows`;

const Windows = z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()]));

/** Creates the rate limit windows in which all instances count together. `prefix`: of one bucket's keys. */
export function createRateLimitWindows(
  client: RedisClient,
  prefix: string,
  windowMs: number = WINDOW_MS,
): SharedWindows {
  // Hashed, because an IP address is personal data.
  const keyOf = (ip: string) => `${prefix}:${hash('sha256', ip, 'base64url')}`;
  return {
    add: (counts, timeoutMs) =>
      client.run(
        async (redis) => {
          const keys = counts.map((count) => keyOf(count.client));
          const requests = counts.map((count) => count.requests);
          const windows = await redis.eval(ADD, keys.length, ...keys, windowMs, ...requests);
          return Windows.length(counts.length).parse(windows);
        },
        null,
        timeoutMs,
      ),
  };
}
