import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { jsonText, type RedisClient, runWhenFull } from './redis-client.ts';

/** A sample expires after this long (ms): its instance has stopped, hangs, or cannot reach Redis. */
export const SAMPLE_KEPT_MS = 30_000;
/** More are none of ours. */
const MAX_INSTANCES = 256;

const AnySample = jsonText(z.json());
const Ids = z.array(z.string());
/** Of `GET` and `PTTL` of each. */
const Replies = z.array(z.tuple([z.string().nullable(), z.number()]));

/** A sample of an instance on the same Redis. */
export interface StoredSample {
  /** One for each process. */
  id: string;
  isOwn: boolean;
  /** Since it was written, by Redis' clock. */
  ageMs: number;
  /** What the instance wrote, unchecked. */
  sample: unknown;
}

/** Creates the list of instances: each writes its newest sample under a key that expires, and its id to a set. */
export function createStoredInstances(client: Pick<RedisClient, 'attempt'>, prefix: string) {
  const ownId = randomUUID();
  const keyOf = (id: string) => `${prefix}:${id}`;

  return {
    /** Stores this instance's newest sample. False while Redis is not available. */
    write: (sample: unknown): Promise<boolean> =>
      client.attempt(async (redis) => {
        const text = JSON.stringify(sample);
        await runWhenFull(redis, [
          ['set', keyOf(ownId), text, 'px', `${SAMPLE_KEPT_MS}`],
          ['sadd', prefix, ownId],
        ]);
        return true;
      }, false),

    /** Resolves with the samples of all instances, this one's included; with null while Redis is not available. */
    list: (): Promise<StoredSample[] | null> =>
      client.attempt(async (redis) => {
        const ids = Ids.parse(await redis.smembers(prefix)).slice(0, MAX_INSTANCES);
        const read = ids.map((id) => Promise.all([redis.get(keyOf(id)), redis.pttl(keyOf(id))]));
        const replies = Replies.parse(await Promise.all(read));
        const found = replies.flatMap(([text, expiresInMs], i) => {
          const id = ids[i] ?? '';
          const sample = AnySample.safeParse(text).data;
          if (sample === undefined) return [];
          const ageMs = Math.max(0, SAMPLE_KEPT_MS - expiresInMs);
          return [{ id, isOwn: id === ownId, ageMs, sample }];
        });
        const gone = ids.filter((id) => !found.some((one) => one.id === id));
        if (gone.length > 0) await redis.srem(prefix, ...gone);
        return found;
      }, null),

    /** Removes this instance: it stops. */
    leave: (): Promise<unknown> =>
      client.attempt((redis) => Promise.all([redis.del(keyOf(ownId)), redis.srem(prefix, ownId)]), null),
  };
}
