import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { InvalidationStream } from './invalidation-stream.ts';
import { jsonText } from './json-text.ts';
import type { RedisClient } from './redis-client.ts';
import { isAfter, STREAM_ID } from './stream-id.ts';

/** Instances publish a sample this often (ms). */
const PUBLISH_INTERVAL_MS = 5_000;
/** An instance without a sample for this long (ms) is silent: it has stopped, hangs, or cannot reach Redis. */
const SILENT_AFTER_MS = 3 * PUBLISH_INTERVAL_MS;
/** A silent instance is named for this long (ms): it may serve readers without hearing of changes. */
const FORGOTTEN_AFTER_MS = 600_000;
/** More are none of ours: the key is deleted, and filled again by those that live. */
const MAX_INSTANCES = 256;
/** Bytes of one sample. */
const MAX_SAMPLE_BYTES = 8_192;
/** No reader waits for these commands. */
const COMMAND_TIMEOUT_MS = 500;
/** However many changes there are, an instance tells of what it has applied at most this often (ms). */
const MIN_PUBLISH_GAP_MS = 100;
/** Wait at most this long (ms) until the others have applied a change. */
export const REACH_TIMEOUT_MS = 1_000;
const MAX_POLL_MS = 100;

/**
 * Stores a sample if one is given, and returns the last id of the invalidation stream and all samples with their ages.
 * Ages are by Redis' clock alone. One from the future, which a step of that clock makes, counts as of now. What is no
 * sample is removed, whoever wrote it.
 */
const EXCHANGE = `
local key, stream = KEYS[1], KEYS[2]
local id, sample = ARGV[1], ARGV[2]
local forgottenAfter, maxInstances, maxBytes = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local kind = redis.call('TYPE', key).ok
if kind ~= 'none' and (kind ~= 'hash' or redis.call('HLEN', key) > maxInstances) then redis.call('DEL', key) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stamp = string.format('%.0f ', now)
if sample ~= '' then redis.call('HSET', key, id, stamp .. sample) end
local found = {}
local fields = redis.call('HGETALL', key)
for i = 1, #fields, 2 do
  local at, text = string.match(fields[i + 1], '^(%d+) (.*)$')
  local age = at and now - tonumber(at)
  if not age or age > forgottenAfter or #text > maxBytes then
    redis.call('HDEL', key, fields[i])
  else
    if age < 0 then redis.call('HSET', key, fields[i], stamp .. text) end
    found[#found + 1] = { fields[i], math.max(0, age), text }
  end
end
redis.call('PEXPIRE', key, forgottenAfter)
local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
return { last and last[1] or '0-0', found }`;

const StreamId = z.string().regex(STREAM_ID);
const Exchanged = z.tuple([StreamId, z.array(z.tuple([z.string(), z.int().nonnegative(), z.string()]))]);
const Published = jsonText(z.object({ appliedId: StreamId, sample: z.unknown() }));

/** An instance on the same Redis. */
export interface RegisteredInstance {
  /** One for each process. */
  id: string;
  isOwn: boolean;
  /** Since its last sample, by Redis' clock. */
  ageMs: number;
  /** False: it has applied all changes but those of the last milliseconds. */
  isBehind: boolean;
  /** What it published, unchecked. */
  sample: unknown;
}

/** Which of the other instances have applied the last change of this one. */
export interface ChangeReach {
  applied: readonly RegisteredInstance[];
  missing: readonly RegisteredInstance[];
}

export interface InstanceRegistryOptions {
  client: Pick<RedisClient, 'run'>;
  stream: Pick<InvalidationStream, 'sent' | 'onRead' | 'lastReadId'>;
  prefix: string;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** How long `reached` waits at most, in milliseconds. */
  reachTimeoutMs?: number;
}

/**
 * Creates the registry of instances: a hash of their samples. Each tells with its sample up to which message of the
 * invalidation stream it has applied, and tells so again as soon as it has applied more.
 */
export function createInstanceRegistry({
  client,
  stream,
  prefix,
  clock,
  reachTimeoutMs = REACH_TIMEOUT_MS,
}: InstanceRegistryOptions) {
  const key = `${prefix}:instances`;
  const streamKey = `${prefix}:changes`;
  const ownId = randomUUID();
  let sample: unknown = null;
  let hasLeft = false;
  let publishing: Promise<boolean> | null = null;
  let isOutdated = false;
  let publishedAt = Number.NEGATIVE_INFINITY;

  async function exchange(text: string): Promise<z.infer<typeof Exchanged> | null> {
    return client.run(
      async (redis) => {
        const bounds = [FORGOTTEN_AFTER_MS, MAX_INSTANCES, MAX_SAMPLE_BYTES];
        const reply = await redis.eval(EXCHANGE, 2, key, streamKey, ownId, text, ...bounds);
        return Exchanged.parse(reply);
      },
      null,
      COMMAND_TIMEOUT_MS,
    );
  }

  async function publishCurrent(): Promise<boolean> {
    let isPublished: boolean;
    do {
      const sinceMs = Math.max(0, clock() - publishedAt);
      if (sinceMs < MIN_PUBLISH_GAP_MS) await pause(MIN_PUBLISH_GAP_MS - sinceMs);
      publishedAt = clock();
      isOutdated = false;
      if (hasLeft || sample === null) return false;
      isPublished = (await exchange(JSON.stringify({ appliedId: stream.lastReadId(), sample }))) !== null;
    } while (isOutdated && isPublished);
    return isPublished;
  }

  /** Messages that are read while a sample is being published are reported by the next one. */
  function publishSoon(): Promise<boolean> {
    isOutdated = true;
    publishing ??= publishCurrent().finally(() => {
      publishing = null;
    });
    return publishing;
  }

  stream.onRead(() => void publishSoon());

  async function list(changeId?: string): Promise<RegisteredInstance[] | null> {
    const exchanged = await exchange('');
    if (exchanged === null) return null;
    const [lastId, found] = exchanged;
    return found.flatMap(([id, ageMs, text]) => {
      const published = Published.safeParse(text).data;
      if (!published) return [];
      const isBehind = isAfter(changeId ?? lastId, published.appliedId);
      return [{ id, isOwn: id === ownId, ageMs, isBehind, sample: published.sample }];
    });
  }

  return {
    /** How often instances are to publish, in milliseconds. */
    publishIntervalMs: PUBLISH_INTERVAL_MS,
    /** An instance that has published nothing for longer (ms) is not waited for. */
    silentAfterMs: SILENT_AFTER_MS,

    /** Stores this instance's sample, at most once at a time. False while Redis is not available. */
    publish(current: unknown): Promise<boolean> {
      sample = current;
      return publishSoon();
    },

    /** Returns all instances, this one included; null while Redis is not available. */
    list: () => list(),

    /**
     * Resolves once all other instances that are not silent have applied the last change of this one, or after a second.
     * Null while Redis is not available: they will apply it when it is back.
     */
    async reached(): Promise<ChangeReach | null> {
      const changeId = await stream.sent();
      if (changeId === null) return null;
      const until = clock() + reachTimeoutMs;
      for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, MAX_POLL_MS)) {
        const all = await list(changeId);
        if (all === null) return null;
        const others = all.filter(({ isOwn }) => !isOwn);
        const missing = others.filter(({ isBehind }) => isBehind);
        if (clock() >= until || missing.every(({ ageMs }) => ageMs > SILENT_AFTER_MS))
          return { applied: others.filter(({ isBehind }) => !isBehind), missing };
        await pause(waitMs);
      }
    },

    /** Removes this instance: it stops. */
    async leave(): Promise<void> {
      hasLeft = true;
      await publishing;
      await client.run((redis) => redis.hdel(key, ownId), 0, COMMAND_TIMEOUT_MS);
    },
  };
}
