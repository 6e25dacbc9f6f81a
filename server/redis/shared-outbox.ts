import { createHmac, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Fate, OutboxPeers, SharedItem } from '#server/outbox/peers.ts';
import type { RedisLink } from './redis-link.ts';
import { createSharedViews } from './shared-views.ts';

/** Who says nothing for so long is dead: five of its signs of life are missing. */
const ALIVE_MS = 15_000;
/** What looks after the outboxes in the background may take so long, in milliseconds. */
const PATIENCE_MS = 1_000;
/** Repeats of a submission are told, and its end is remembered, for a day. */
const DAY_SECONDS = 86_400;

const SETTLED = ['delivered', 'answered', 'refused'] as const;

const Item = z.object({
  idempotencyKey: z.uuid(),
  kind: z.enum(['subscription', 'contact', 'opt-out']),
  payload: z.string().max(64 * 1024),
  createdAt: z.number(),
});

/** Moves what a dead instance held to one that lives, whole, and marks each so that the dead one, come back, knows. */
const TAKE_OVER = `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
local items = redis.call('hgetall', KEYS[2])
for at = 1, #items, 2 do
  redis.call('hset', KEYS[3], items[at], items[at + 1])
  redis.call('set', ARGV[1] .. items[at], 'taken:' .. ARGV[2], 'EX', ${DAY_SECONDS})
end
redis.call('del', KEYS[2])
redis.call('srem', KEYS[4], ARGV[3])
return #items / 2`;

export interface SharedOutboxOptions {
  link: RedisLink;
  prefix: string;
  /** The name of this instance: the same after a restart with the same file. */
  instance: string;
}

/** What instances know of each other's submissions, in Redis: who holds which, who lives, and how each ended. */
export function createSharedOutbox({ link, prefix, instance }: SharedOutboxOptions): OutboxPeers {
  const instances = `${prefix}:outbox:instances`;
  const aliveOf = (name: string) => `${prefix}:outbox:alive:${name}`;
  const heldBy = (name: string) => `${prefix}:outbox:held:${name}`;
  const fates = `${prefix}:outbox:fate:`;
  let secret: string | null = null;

  /** Shared, so that instances find the same digest, and secret, so that what it was made of cannot be guessed. */
  async function secretOf(redis: Redis): Promise<string> {
    const place = `${prefix}:outbox:secret`;
    if (secret === null) {
      await redis.set(place, randomBytes(32).toString('base64'), 'NX');
      secret = await redis.get(place);
    }
    if (secret === null) throw new Error('the secret of the outboxes is gone');
    return secret;
  }

  async function fateFor(redis: Redis, key: string): Promise<Fate> {
    const word = await redis.get(fates + key);
    const settled = SETTLED.find((state) => state === word);
    if (settled) return settled;
    if (!word?.startsWith('taken:')) return 'ours';
    const taker = word.slice('taken:'.length);
    return taker !== instance && (await redis.exists(aliveOf(taker))) === 1 ? 'elsewhere' : 'ours';
  }

  async function hold(redis: Redis, items: readonly SharedItem[]): Promise<void> {
    const fields = items.flatMap((item) => [item.idempotencyKey, JSON.stringify(item)]);
    if (fields.length > 0) await redis.hset(heldBy(instance), ...fields);
  }

  /** The key of the same submission that came before, within a day; null where this is the first. */
  async function repeatOf(
    redis: Redis,
    { kind, payload, idempotencyKey }: SharedItem,
  ): Promise<string | null> {
    const digest = createHmac('sha256', await secretOf(redis))
      .update(`${kind} ${payload}`)
      .digest('base64url');
    const place = `${prefix}:outbox:same:${digest}`;
    if ((await redis.set(place, idempotencyKey, 'EX', DAY_SECONDS, 'NX')) === 'OK') return null;
    const earlier = await redis.get(place);
    if (earlier === null) return null;
    const fate = await fateFor(redis, earlier);
    // A subscription that has arrived may have been cancelled since: the upstream knows.
    if (kind !== 'subscription' || (fate !== 'delivered' && fate !== 'answered')) return earlier;
    await redis.set(place, idempotencyKey, 'EX', DAY_SECONDS);
    return null;
  }

  async function takeOver(redis: Redis): Promise<void> {
    const others = (await redis.smembers(instances)).filter((name) => name !== instance);
    for (const other of others) {
      const keys = [aliveOf(other), heldBy(other), heldBy(instance), instances];
      await redis.eval(TAKE_OVER, keys.length, ...keys, fates, instance, other);
    }
  }

  return {
    announce: (item) =>
      link.ask(async (redis) => {
        const earlier = await repeatOf(redis, item);
        if (earlier === null) {
          await hold(redis, [item]);
          return null;
        }
        const fate = await fateFor(redis, earlier);
        // Whoever has it has it still: nobody took it over.
        return { idempotencyKey: earlier, fate: fate === 'ours' ? 'elsewhere' : fate };
      }, null),

    fateOf: (key) => link.ask((redis) => fateFor(redis, key), 'ours'),

    hold: (items) => link.ask((redis) => hold(redis, items), undefined, PATIENCE_MS),

    async settled(key, state) {
      await link.ask(
        (redis) =>
          redis
            .multi()
            .hdel(heldBy(instance), key)
            .set(fates + key, state, 'EX', DAY_SECONDS)
            .exec(),
        null,
        PATIENCE_MS,
      );
    },

    async again(key) {
      await link.ask((redis) => redis.del(fates + key), null, PATIENCE_MS);
    },

    held: () =>
      link.ask(
        async (redis) => {
          await redis.set(aliveOf(instance), '1', 'PX', ALIVE_MS);
          await redis.sadd(instances, instance);
          await takeOver(redis);
          return (await redis.hvals(heldBy(instance))).flatMap(itemIn);
        },
        [],
        PATIENCE_MS,
      ),

    views: createSharedViews({ link, prefix, instance, aliveOf }),

    async leave() {
      await link.ask((redis) => redis.del(aliveOf(instance)), null, PATIENCE_MS);
    },
  };
}

/** None in a text that somebody else wrote. */
function itemIn(text: string): SharedItem[] {
  try {
    const { data } = Item.safeParse(JSON.parse(text));
    return data && isObject(data.payload) ? [data] : [];
  } catch {
    return [];
  }
}

function isObject(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
