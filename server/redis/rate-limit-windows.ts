import { hash } from 'node:crypto';
import { z } from 'zod';
import { type SharedWindows, WINDOW_MS } from '#server/http/rate-limit.ts';
import type { RedisClient } from './redis-client.ts';

const Count = z.int().nonnegative();

/** Creates the rate limit windows in which all instances count together. `prefix`: of one bucket's keys. */
export function createRateLimitWindows(client: Pick<RedisClient, 'run'>, prefix: string): SharedWindows {
  return {
    count: (ip) =>
      client.run(async (redis) => {
        // Hashed, because an IP address is personal data.
        const key = `${prefix}:${hash('sha256', ip, 'base64url')}`;
        // `LT`: also where Redis' clock was set back, which would make the window longer by as much.
        // A transaction: a window neither ends in between, nor stays without an end where the connection does.
        const counting = redis.multi().incr(key).pexpire(key, WINDOW_MS, 'LT').pttl(key);
        const [requests, , endsInMs] = ((await counting.exec()) ?? []).map(([error, reply]) => {
          if (error) throw error;
          return reply;
        });
        return { requests: Count.parse(requests), endsInMs: Count.parse(endsInMs) };
      }, null),
  };
}
