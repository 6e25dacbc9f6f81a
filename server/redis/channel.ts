import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { PolicyChanges } from '#server/cache/policies.ts';
import type { Clock } from '#server/clock.ts';
import { MAX_CHANGES, type RecentChanges } from '#server/ops/change-log.ts';
import { after, pause, withTimeout } from '#server/timers.ts';
import { MODES } from '#shared/models/cache-modes.ts';
import { Change } from '#shared/models/ops/ops-schemas.ts';
import { RESOURCES } from '#shared/models/resources.ts';
import { jsonText, type RedisClient } from './redis-client.ts';

/** Wait this long (ms) before a command that failed is sent again. */
const RETRY_MS = 500;
/** A subscription without a response to `PING` is made anew: it may have lost its peer without a word. */
const PING_INTERVAL_MS = 5_000;
/** Purges that wait for Redis. More become one of everything. */
const MAX_UNSENT = 1_000;
/** After it was away, Redis makes everything cached stale at most this often (ms). */
const MIN_STALE_INTERVAL_MS = 60_000;

const Mode = z.object({
  mode: z.enum(MODES),
  ttlFactor: z.number().positive(),
  endsAt: z.number().nullable(),
});
type Mode = z.infer<typeof Mode>;

const Purge = z.object({
  id: z.string(),
  tags: z.array(z.string()),
  keys: z.array(z.string()),
  all: z.boolean(),
  soft: z.boolean(),
});
type Purge = z.infer<typeof Purge>;

/** What an operator of one instance did, for all of them: a purge, or what is in force from now on; or that it is to be read. */
const Message = jsonText(
  z.discriminatedUnion('what', [
    Purge.extend({ what: z.literal('purge'), by: z.string() }),
    /** All that differs from the configuration. */
    z.object({ what: z.literal('policies'), id: z.string(), value: PolicyChanges }),
    /** `endsAt`: wall milliseconds; null where nothing is overridden. */
    z.object({ what: z.literal('mode'), id: z.string(), value: Mode }),
    z.object({
      what: z.literal('changes'),
      id: z.string(),
      value: z.array(Change).max(MAX_CHANGES).readonly(),
    }),
    z.object({ what: z.literal('refilled') }),
  ]),
);
type State = 'policies' | 'mode' | 'changes';

/** What is written into a field of the key, and the message that tells of it. */
interface Unsent {
  id: string;
  field: State | 'purge';
  stored: string;
  message: object;
}

/** What is in force, by field. What is not valid was written by another version, and counts as missing. */
const Overrides = z.object({
  purge: z.string(),
  policies: jsonText(PolicyChanges).optional().catch(undefined),
  mode: jsonText(Mode).optional().catch(undefined),
  changes: jsonText(z.array(z.unknown()))
    .transform((changes) => changes.flatMap((change) => Change.safeParse(change).data ?? []))
    .optional()
    .catch(undefined),
});

export interface ChannelOptions {
  client: Pick<RedisClient, 'run' | 'connect'>;
  /** Name of the channel. */
  channel: string;
  /** Key of the hash with the policies and the mode in force, the last changes, and the id of the last purge. */
  overridesKey: string;
  clock: Clock;
}

export interface ChannelListener {
  cache: Pick<ContentCache, 'purge' | 'onPurge' | 'policies' | 'mode'>;
  changes: RecentChanges;
  /** Called when policies of another instance are in force here. */
  onPolicies(): void;
  /** Id of the last purge that the restored snapshot knew of; null where there is none. */
  since: string | null;
}

/**
 * Creates the channel (pub/sub) by which instances tell each other of purges, policies and modes, and who changed them. What
 * is in force stands under one key, which is read on every connect. Messages that were missed meanwhile are made good by
 * making everything cached stale; what this instance could not send is sent when Redis is back.
 */
export function createChannel(options: ChannelOptions) {
  const { client, channel, overridesKey, clock } = options;
  const ownId = randomUUID();
  const firstRead = Promise.withResolvers<void>();
  let listener: ChannelListener | null = null;
  let lastPurge: string | null = null;
  let isSubscribed = false;
  let wasSubscribed = false;
  /** Grows with each connection and its end. */
  let connections = 0;
  let staleAt = Number.NEGATIVE_INFINITY;
  let staleTimer: NodeJS.Timeout | null = null;
  /** By state or id of a purge, oldest first. */
  const unsent = new Map<string, Unsent>();
  /** States that this instance has set, heard or read: the others may be those of another instance alone. */
  const known = new Set<State>();
  /** Messages of what is in force that were received. */
  let heard = 0;
  let sending: Promise<void> = Promise.resolve();
  /** Subscribers that received the last message, this one included. */
  let received = 0;
  let retryTimer: NodeJS.Timeout | null = null;
  /** A change of another instance is being applied, and not sent again. */
  let isApplying = false;
  const stops: (() => void)[] = [];

  function apply(change: () => void): void {
    isApplying = true;
    try {
      change();
    } finally {
      isApplying = false;
    }
  }

  function send(key: string, item: Unsent): void {
    if (isApplying) return;
    // Behind those that wait: what is sent last is in force.
    unsent.delete(key);
    unsent.set(key, item);
    if (unsent.size > MAX_UNSENT) {
      for (const [one, { field }] of unsent) if (field === 'purge') unsent.delete(one);
      addPurge({ id: lastPurge ?? randomUUID(), tags: [], keys: [], all: true, soft: false });
    }
    sendSoon();
  }

  function sendState(what: State): void {
    known.add(what);
    const value = currentOf(what);
    const id = randomUUID();
    send(what, { id, field: what, stored: JSON.stringify(value), message: { what, id, value } });
  }

  function purgeItem(purge: Purge): Unsent {
    return {
      id: purge.id,
      field: 'purge',
      stored: purge.id,
      message: { what: 'purge', by: ownId, ...purge },
    };
  }

  function addPurge(purge: Purge): void {
    unsent.set(purge.id, purgeItem(purge));
  }

  function hasUnsentPurge(): boolean {
    return [...unsent.values()].some(({ field }) => field === 'purge');
  }

  function sendSoon(): void {
    sending = sending.then(sendAll);
  }

  async function sendAll(): Promise<void> {
    for (const [key, item] of unsent) {
      const subscribers = await publish(item);
      if (subscribers === null) {
        retryTimer ??= after(RETRY_MS, () => {
          retryTimer = null;
          sendSoon();
        });
        return;
      }
      received = subscribers;
      // What has changed while this was sent is sent after it.
      if (unsent.get(key) === item) unsent.delete(key);
    }
  }

  /**
   * Resolves with how many received it, or with null where Redis does not take it. What else is in force goes with it where
   * it is missing: after Redis was emptied, a key with this alone would look whole to the next instance.
   */
  function publish({ field, stored, message }: Unsent): Promise<number | null> {
    return client.run(async (redis) => {
      const commands = redis.multi().hset(overridesKey, field, stored);
      for (const state of known) commands.hsetnx(overridesKey, state, JSON.stringify(currentOf(state)));
      const replies = await commands.publish(channel, JSON.stringify(message)).exec();
      for (const [error] of replies ?? []) if (error) throw error;
      return z.int().parse(replies?.at(-1)?.[1]);
    }, null);
  }

  function currentOf(state: State): unknown {
    if (!listener) return null;
    const { cache, changes } = listener;
    if (state === 'policies') return cache.policies.changes();
    if (state === 'changes') return changes.list();
    const { mode, ttlFactor, endsInSeconds } = cache.mode.current();
    const endsAt = endsInSeconds === null ? null : clock.now() + endsInSeconds * 1_000;
    return { mode, ttlFactor, endsAt } satisfies Mode;
  }

  /** In the order of Redis, which is the same for all: what this instance has not sent yet comes after it, and again. */
  function receive(text: string): void {
    const message = Message.safeParse(text).data;
    if (message && 'id' in message) forgetSent(message.id);
    if (message?.what === 'purge') {
      lastPurge = message.id;
      if (message.by !== ownId) apply(() => listener?.cache.purge(message));
      return;
    }
    heard++;
    if (message?.what === 'policies') applyPolicies(message.value);
    else if (message?.what === 'mode') applyMode(message.value);
    else if (message?.what === 'changes') addChanges(message.value);
    else if (message?.what === 'refilled')
      void readOverrides(connections).then(applyOverrides).then(sendSoon);
  }

  /** Its reply may have been lost: sent again, it would come over what another instance has changed since. */
  function forgetSent(id: string): void {
    for (const [key, item] of unsent) if (item.id === id) unsent.delete(key);
  }

  function applyPolicies(changes: PolicyChanges): void {
    if (!listener) return;
    known.add('policies');
    const { policies } = listener.cache;
    if (JSON.stringify(changes) === JSON.stringify(policies.changes())) return;
    apply(() => {
      for (const resource of RESOURCES) {
        policies.reset(resource);
        const change = changes[resource];
        if (change) policies.set(resource, change);
      }
    });
    listener.onPolicies();
  }

  function applyMode({ mode, ttlFactor, endsAt }: Mode): void {
    known.add('mode');
    const forSeconds = ((endsAt ?? 0) - clock.now()) / 1_000;
    if (endsAt === null) apply(() => listener?.cache.mode.set({ mode: 'normal' }));
    else if (forSeconds > 0) apply(() => listener?.cache.mode.set({ mode, ttlFactor, forSeconds }));
  }

  /** Sends what the sender did not know: two instances may have recorded changes at the same time. */
  function addChanges(changes: readonly Change[]): void {
    if (!listener) return;
    known.add('changes');
    const { add, list } = listener.changes;
    apply(() => add(changes));
    const sent = new Set(changes.map(({ id }) => id));
    if (list().some(({ id }) => !sent.has(id))) sendState('changes');
  }

  /** Makes everything cached stale: it is served once more, and refreshed on demand. */
  function makeStale(): void {
    const waitMs = staleAt + MIN_STALE_INTERVAL_MS - clock.monotonic();
    if (waitMs > 0) {
      staleTimer ??= after(waitMs, () => {
        staleTimer = null;
        makeStale();
      });
      return;
    }
    staleAt = clock.monotonic();
    apply(() => listener?.cache.purge({ all: true, soft: true }));
  }

  /** Resolves with what is in force, newer than every message that was received; with null where the connection has ended. */
  async function readOverrides(connection: number) {
    for (;;) {
      const before = heard;
      const read = await readKey();
      if (connection !== connections) return null;
      if (read !== null && heard === before) return read;
      if (read === null) await pause(RETRY_MS);
    }
  }

  /**
   * Resolves with what is in force, and the id of the last purge, which is made where there is none. Into an empty Redis it
   * is written by each instance that knew it, unless another was faster: never over what was changed meanwhile. Whoever finds
   * it empty tells the others, which may not have noticed.
   */
  function readKey() {
    return client.run(async (redis) => {
      const commands = redis.multi().hsetnx(overridesKey, 'purge', lastPurge ?? randomUUID());
      for (const state of known) commands.hsetnx(overridesKey, state, JSON.stringify(currentOf(state)));
      const replies = (await commands.hgetall(overridesKey).exec())?.map(([, reply]) => reply) ?? [];
      const read = Overrides.parse(replies.at(-1));
      const refilled = replies.slice(0, -1);
      // The others have another id in mind.
      if (refilled[0] === 1 && !hasUnsentPurge())
        addPurge({ id: read.purge, tags: [], keys: [], all: false, soft: true });
      if (refilled.includes(1)) await redis.publish(channel, JSON.stringify({ what: 'refilled' }));
      return read;
    }, null);
  }

  function applyOverrides(read: Pick<z.infer<typeof Overrides>, State> | null): void {
    if (read?.policies) applyPolicies(read.policies);
    if (read?.mode) applyMode(read.mode);
    if (read?.changes) addChanges(read.changes);
  }

  /** Subscribes, then reads what is in force: nothing can come between. */
  async function synchronise(subscribe: () => Promise<unknown>): Promise<void> {
    const connection = ++connections;
    await subscribe();
    const before = lastPurge;
    const read = await readOverrides(connection);
    if (read === null || !listener) return;
    if (wasSubscribed || read.purge !== listener.since) makeStale();
    applyOverrides(read);
    // One of this instance's own that waits, or another's that came meanwhile, is later.
    if (!hasUnsentPurge() && lastPurge === before) lastPurge = read.purge;
    isSubscribed = true;
    wasSubscribed = true;
    firstRead.resolve();
    sendSoon();
  }

  function subscribe(): void {
    const subscriber = client.connect();
    const again = () => subscriber.disconnect(true);
    subscriber.on('message', (_channel, text) => receive(text));
    subscriber.on('ready', () => void synchronise(() => subscriber.subscribe(channel)).catch(again));
    subscriber.on('close', () => {
      connections++;
      isSubscribed = false;
    });
    const timer = setInterval(() => {
      if (subscriber.status === 'ready') subscriber.ping().catch(again);
    }, PING_INTERVAL_MS).unref();
    stops.push(() => clearInterval(timer));
  }

  return {
    /** Starts to tell the others what operators of this instance change, and to apply what theirs do. */
    listen(to: ChannelListener): void {
      listener = to;
      const { cache } = to;
      cache.onPurge(({ tags = [], keys = [], all = false, soft = false }) => {
        if (isApplying) return;
        lastPurge = randomUUID();
        send(lastPurge, purgeItem({ id: lastPurge, tags, keys, all, soft }));
      });
      to.changes.onAdd(() => sendState('changes'));
      cache.policies.onChange(() => sendState('policies'));
      cache.mode.onChange(() => sendState('mode'));
      subscribe();
    },
    /** Resolves with true once policies and modes were read, or with false after `ms`. */
    inForce: async (ms: number): Promise<boolean> =>
      (await withTimeout(
        ms,
        firstRead.promise.then(() => true),
      )) ?? false,
    /** Returns the id of the last purge of any instance; null while it is not known: then nothing is shared. */
    lastPurge: (): string | null => (isSubscribed ? lastPurge : null),
    /** Resolves with how many other instances received the last change of this one; null where it was not sent yet. */
    received: async (): Promise<number | null> => {
      await sending;
      return unsent.size > 0 ? null : Math.max(0, received - 1);
    },
    close(): void {
      for (const stop of stops) stop();
      if (staleTimer) clearTimeout(staleTimer);
      if (retryTimer) clearTimeout(retryTimer);
    },
  };
}
