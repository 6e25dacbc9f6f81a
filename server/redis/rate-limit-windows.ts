import { hash } from 'node:crypto';
import { z } from 'zod';
import { type SharedWindows, WINDOW_MS } from '#server/http/rate-limit/rate-limit-store.ts';
import type { RedisClient } from './redis-client.ts';

/**
 * Adds to each window, and returns its requests and the milliseconds until it ends: a minute after its first request.
 * The expiry is also set where there is none or a later one, as after a step of Redis's clock.
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

/** The windows of a rate limit that all instances count in. `prefix`: of the keys of one bucket. */
export function createRateLimitWindows(
  link: RedisClient,
  prefix: string,
  windowMs: number = WINDOW_MS,
): SharedWindows {
  // An IP says who somebody is; its hash tells clients apart as well.
  const keyOf = (client: string) => `${prefix}:${hash('sha256', client, 'base64url')}`;
  return {
    add: (counts, timeoutMs) =>
      link.ask(
        async (redis) => {
          const keys = counts.map(({ client }) => keyOf(client));
          const requests = counts.map((count) => count.requests);
          const found = await redis.eval(ADD, keys.length, ...keys, windowMs, ...requests);
          return Windows.length(counts.length).parse(found);
        },
        null,
        timeoutMs,
      ),
  };
}
