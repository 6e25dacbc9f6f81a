import { z } from 'zod';
import type { SharedView, ViewPeers } from '#server/outbox/peers.ts';
import type { RedisLink } from './redis-link.ts';

/** What looks after the outboxes in the background may take so long, in milliseconds. */
const PATIENCE_MS = 1_000;
/** Views taken over at once: they are on disk some milliseconds later. */
const TAKEN_AT_ONCE = 500;
const DAY_SECONDS = 86_400;

const Word = z.object({ key: z.string().max(100), payload: z.string().max(1024), createdAt: z.number() });
const Payload = z.object({ postId: z.string(), ip_addr: z.string() });
/** Members and scores in turns. */
const Popped = z.array(z.string()).catch([]);

/** Takes the oldest views of an instance that is dead, and marks up to which, so that it knows when it comes back. */
const TAKE_OVER = `
if redis.call('exists', KEYS[1]) == 1 then return {} end
local views = redis.call('zpopmin', KEYS[2], ${TAKEN_AT_ONCE})
if #views == 0 then
  redis.call('srem', KEYS[4], ARGV[1])
  return {}
end
redis.call('set', KEYS[3], views[#views], 'EX', ${DAY_SECONDS})
return views`;

export interface SharedViewsOptions {
  link: RedisLink;
  prefix: string;
  /** The name of this instance: the same after a restart with the same file. */
  instance: string;
  /** The key that is there while an instance lives. */
  aliveOf: (name: string) => string;
}

/** Views that wait, in Redis: a sorted set for each instance, by the id they have in its file. */
export function createSharedViews({ link, prefix, instance, aliveOf }: SharedViewsOptions): ViewPeers {
  const instances = `${prefix}:views:instances`;
  const waitingOn = (name: string) => `${prefix}:views:waiting:${name}`;
  const takenFrom = (name: string) => `${prefix}:views:taken:${name}`;

  return {
    share: (waiting, gone) =>
      link.ask<number | null>(
        async (redis) => {
          const place = waitingOn(instance);
          const tell = redis.pipeline().sadd(instances, instance);
          if (waiting.length > 0) tell.zadd(place, ...waiting.flatMap((view) => [view.id, wordOf(view)]));
          for (const id of gone) tell.zremrangebyscore(place, id, id);
          await tell.exec();
          const [, highest] = await redis.zrange(place, 0, 0, 'REV', 'WITHSCORES');
          return Number(highest ?? 0);
        },
        null,
        PATIENCE_MS,
      ),

    adopt: () =>
      link.ask(
        async (redis) => {
          for (const other of await redis.smembers(instances)) {
            if (other === instance) continue;
            const keys = [aliveOf(other), waitingOn(other), takenFrom(other), instances];
            const views = viewsIn(await redis.eval(TAKE_OVER, keys.length, ...keys, other));
            if (views.length > 0) return views;
          }
          return [];
        },
        [],
        PATIENCE_MS,
      ),

    takenUpTo: () => link.ask(async (redis) => Number(await redis.get(takenFrom(instance))), 0, PATIENCE_MS),
  };
}

function wordOf({ idempotencyKey, payload, createdAt }: SharedView): string {
  return JSON.stringify({ key: idempotencyKey, payload, createdAt });
}

/** What somebody else wrote there is left out. */
function viewsIn(answer: unknown): SharedView[] {
  const popped = Popped.parse(answer);
  return popped.flatMap((text, at) => (at % 2 === 0 ? viewIn(text, Number(popped[at + 1])) : []));
}

function viewIn(text: string, id: number): SharedView[] {
  try {
    const { key, payload, createdAt } = Word.parse(JSON.parse(text));
    Payload.parse(JSON.parse(payload));
    return [{ id, idempotencyKey: key, payload, createdAt }];
  } catch {
    return [];
  }
}
