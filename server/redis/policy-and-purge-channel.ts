import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Purge } from '#server/cache/cache-events.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { PolicyChange } from '#server/cache/policies.ts';
import type { RecentChanges } from '#server/ops/change-log.ts';
import { after, type Clock, withTimeout } from '#server/time.ts';
import { MODES } from '#shared/models/cache-modes.ts';
import { Change } from '#shared/models/ops/ops-schemas.ts';
import { RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';
import { jsonText, type RedisClient, runWhenFull } from './redis-client.ts';

/** Wait this long (ms) before an exchange that failed is tried again. */
const RETRY_MS = 500;
/** Purges that wait for Redis. More become one of everything. */
const MAX_UNSENT_PURGES = 1_000;
/** Purges of one exchange: more may take longer than Redis has to respond. */
const MAX_SENT_PURGES = 50;
/** After it was away, Redis makes everything cached stale at most this often (ms). */
const MIN_STALE_INTERVAL_MS = 60_000;

/**
 * A purge of one instance, or that the states have changed and are to be read. `by`: the instance, then which of its purges.
 */
const Message = jsonText(
  z.discriminatedUnion('what', [
    Purge.extend({ what: z.literal('purge'), id: z.string(), by: z.string() }),
    /** `written`: ids of the changes that stand under the key now. */
    z.object({ what: z.literal('changed'), written: z.array(z.string()) }),
  ]),
);
type Message = z.infer<typeof Message>;

const Mode = z.object({
  mode: z.enum(MODES),
  ttlFactor: z.number().positive(),
  /** Wall milliseconds, by Redis' clock; null where nothing is overridden. */
  endsAt: z.number().nullable(),
});
type Mode = z.infer<typeof Mode>;

/**
 * Names of the states that all instances have in common. Each is a field of the hash at `overridesKey`, whose value is JSON:
 * policies one by one, since two instances may change those of different resources at once, or while Redis is away. `kept`:
 * a policy from an instance's disk, in force where there is no `policy`, which tells of a change since.
 */
type State = `${'policy' | 'kept'}:${Resource}` | 'mode' | 'changes';
const policyState = (resource: Resource): State => `policy:${resource}`;
const keptState = (resource: Resource): State => `kept:${resource}`;
const STATES: readonly State[] = [
  ...RESOURCES.map(policyState),
  ...RESOURCES.map(keptState),
  'mode',
  'changes',
];

/** Redis' clock: seconds since 1970, and microseconds. */
const Time = z.tuple([z.coerce.number(), z.coerce.number()]);

/** Values of the hash: id of the last purge, then those of `STATES`. */
const Fields = z.tuple([z.string()], z.string().nullable());

export interface ChannelOptions {
  client: Pick<RedisClient, 'attempt' | 'connect'>;
  channel: string;
  /** Key of the hash with the states and the id of the last purge. */
  overridesKey: string;
  clock: Clock;
}

export interface ChannelListener {
  cache: Pick<ContentCache, 'purge' | 'onPurge' | 'policies' | 'mode'>;
  changes: RecentChanges;
  /** Id of the last purge that the restored snapshot knew of; null where there is none. */
  since: string | null;
  /** Those that it did not know of: the process before may have ended before it could send them. */
  purges: readonly Purge[];
}

/**
 * Creates the channel (pub/sub) by which instances tell each other of purges, and that policies, the mode or the list of
 * changes are others. Those stand under one key, which is read on every connect and after each such message. Messages that
 * were missed are made good by making everything cached stale; what could not be sent is sent when Redis is back.
 */
export function createChannel({ client, channel, overridesKey, clock }: ChannelOptions) {
  const ownId = randomUUID();
  const firstRead = Promise.withResolvers<true>();
  let listener: ChannelListener | null = null;
  let lastPurge: string | null = null;
  /** The subscription in force; and the one in whose time the hash was read last. */
  let subscription: object | null = null;
  let readSince: object | null = null;
  /** Purges that are not known to be sent, by their `by`. */
  const unsentPurges = new Map<string, Purge>();
  /** The JSON of each state that this instance has set or read last, or had at its start. */
  const texts = new Map<State, string>();
  /** Ids of changes that are not written to Redis yet, by their state. */
  const unsentChanges = new Map<State, string>();
  let isExchangeWanted = false;
  let exchanges: Promise<void> = Promise.resolve();
  /** Redis' clock minus the monotonic one of this process (ms): by it all instances end a mode at the same moment. */
  let redisAheadMs = clock.now() - clock.monotonic();
  const redisNow = () => clock.monotonic() + redisAheadMs;
  let staleAt = Number.NEGATIVE_INFINITY;
  let staleTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  /** A change of another instance is being applied, and not sent again. */
  let isApplying = false;

  function apply(change: () => void): void {
    isApplying = true;
    try {
      change();
    } finally {
      isApplying = false;
    }
  }

  function sendPurge({ tags = [], keys = [], all = false, soft = false }: Purge): void {
    if (isApplying) return;
    const isFull = unsentPurges.size === MAX_UNSENT_PURGES;
    if (isFull) unsentPurges.clear();
    unsentPurges.set(`${ownId} ${randomUUID()}`, isFull ? { all: true } : { tags, keys, all, soft });
    exchangeSoon();
  }

  function sendState(state: State, value: unknown): void {
    if (isApplying) return;
    texts.set(state, JSON.stringify(value));
    unsentChanges.set(state, randomUUID());
    exchangeSoon();
  }

  function exchangeSoon(): void {
    isExchangeWanted = true;
    exchanges = exchanges.then(exchange);
  }

  /** Sends what this instance has changed, and applies what is in force after it. Tried again until Redis responds. */
  async function exchange(): Promise<void> {
    const to = listener;
    if (!isExchangeWanted || !to) return;
    isExchangeWanted = false;
    const subscribed = subscription;
    const before = lastPurge;
    const purges = [...unsentPurges].slice(0, MAX_SENT_PURGES);
    const changed = new Map(unsentChanges);
    // Another id on each try: entries of the second level that were stored between two of them are of before.
    const id = randomUUID();
    const read = await writeAndRead(id, purges, changed);
    if (listener === null) return;
    clearTimeout(retryTimer);
    if (read === null) {
      retryTimer = after(RETRY_MS, exchangeSoon);
      return;
    }
    for (const [by] of purges) unsentPurges.delete(by);
    forgetWritten([...changed.values()]);
    if (subscribed !== null && subscribed === subscription && subscribed !== readSince) {
      if (readSince !== null || read.purge !== to.since) makeStale();
      // Redis may have come back with data of before a purge: with a new id none of its second level is of after it.
      if (readSince !== null && before !== null && read.purge !== before) sendPurge({});
      readSince = subscribed;
    }
    // One that was received meanwhile may be later.
    if (lastPurge === before) lastPurge = read.purge;
    for (const [nth, state] of STATES.entries()) applyState(state, read.found[nth] ?? null, to);
    if (unsentPurges.size > 0) exchangeSoon();
    if (readSince !== null) firstRead.resolve(true);
  }

  /**
   * Resolves with the key's fields, or with null where Redis does not respond. What is missing there is written again by
   * each instance that knows it, unless another was faster: Redis was emptied. Who finds it so tells the others, which may
   * not have noticed.
   */
  function writeAndRead(id: string, purges: [string, Purge][], changed: ReadonlyMap<State, string>) {
    // Not left out because Redis was too slow for a reader a moment ago: what changes has a pace of its own.
    return client.attempt(async (redis) => {
      const write = (isNew: boolean, ...pair: string[]) => [isNew ? 'hset' : 'hsetnx', overridesKey, ...pair];
      const writes = [
        purges.length > 0 ? write(true, 'purge', id) : write(false, 'purge', lastPurge ?? id),
        ...[...texts].map(([state, text]) => write(changed.has(state), state, text)),
      ];
      const replies = await runWhenFull(redis, [
        ...writes,
        ...purges.map(([by, purge]) => publishing({ what: 'purge', id, by, ...purge })),
        ...(changed.size > 0 ? [publishing({ what: 'changed', written: [...changed.values()] })] : []),
        ['hmget', overridesKey, 'purge', ...STATES],
        ['time'],
      ]);
      const [seconds, microseconds] = Time.parse(replies.at(-1));
      redisAheadMs = seconds * 1_000 + microseconds / 1_000 - clock.monotonic();
      const [purge, ...found] = Fields.parse(replies.at(-2));
      if (replies.slice(0, writes.length).includes(1))
        await runWhenFull(redis, [publishing({ what: 'changed', written: [] })]);
      return { purge, found };
    }, null);
  }

  function publishing(message: Message): string[] {
    return ['publish', channel, JSON.stringify(message)];
  }

  /** A change that came after it is not written yet. */
  function forgetWritten(ids: readonly string[]): void {
    for (const [state, id] of unsentChanges) if (ids.includes(id)) unsentChanges.delete(state);
  }

  /**
   * What this instance hears of itself was sent, though the reply may have been lost: behind a slow Redis a purge would empty
   * the others every second, a state would come over what another instance has changed since. A message of another version
   * says that something has changed too.
   */
  function receive(text: string): void {
    const message = Message.safeParse(text).data;
    if (message?.what === 'purge') {
      lastPurge = message.id;
      unsentPurges.delete(message.by);
      if (!message.by.startsWith(ownId)) apply(() => listener?.cache.purge(message));
    } else {
      forgetWritten(message?.written ?? []);
      exchangeSoon();
    }
  }

  /** Applies a state as JSON; null where Redis has none. Not one that is known, or that this instance has changed meanwhile. */
  function applyState(state: State, text: string | null, { cache, changes }: ChannelListener): void {
    if (text === null || unsentChanges.has(state) || text === texts.get(state)) return;
    texts.set(state, text);
    const resource = RESOURCES.find((one) => policyState(one) === state || keptState(one) === state);
    if (resource) {
      if (state === keptState(resource) && texts.has(policyState(resource))) return;
      const { data } = jsonText(PolicyChange.nullable()).safeParse(text);
      if (data === undefined) return;
      apply(() => cache.policies.replace({ ...cache.policies.changes(), [resource]: data ?? {} }));
    } else if (state === 'mode') {
      const { data } = jsonText(Mode).safeParse(text);
      if (data) applyMode(data, cache.mode);
    } else {
      const { data: all = [] } = jsonText(z.array(z.unknown())).safeParse(text);
      const data = all.flatMap((change) => Change.safeParse(change).data ?? []);
      apply(() => changes.add(data));
      // Two instances may have recorded changes at the same time. Where one of another version has some that cannot be read
      // here, each would put its own in the place of the other's without end.
      const ids = new Set(data.map(({ id }) => id));
      if (data.length === all.length && changes.list().some(({ id }) => !ids.has(id)))
        sendState('changes', changes.list());
    }
  }

  function applyMode({ mode, ttlFactor, endsAt }: Mode, to: ContentCache['mode']): void {
    const forSeconds = ((endsAt ?? 0) - redisNow()) / 1_000;
    apply(() => to.set(forSeconds > 0 ? { mode, ttlFactor, forSeconds } : { mode: 'normal' }));
  }

  function modeOf({ mode }: ChannelListener['cache']): Mode {
    const { endsInSeconds, ...inForce } = mode.current();
    return { ...inForce, endsAt: endsInSeconds === null ? null : redisNow() + endsInSeconds * 1_000 };
  }

  /** Makes everything cached stale: it is served once more, and refreshed on demand. */
  function makeStale(): void {
    clearTimeout(staleTimer);
    const waitMs = staleAt + MIN_STALE_INTERVAL_MS - clock.monotonic();
    if (waitMs > 0) {
      staleTimer = after(waitMs, makeStale);
      return;
    }
    staleAt = clock.monotonic();
    apply(() => listener?.cache.purge({ all: true, soft: true, assumed: true }));
  }

  /** Subscribes on each connection, then reads what is in force: nothing can come between. */
  function subscribe(): void {
    const subscriber = client.connect();
    subscriber.on('message', (_channel, text) => receive(text));
    subscriber.on('ready', () => {
      const subscribed = subscriber.subscribe(channel).then(() => {
        subscription = {};
        exchangeSoon();
      });
      subscribed.catch((error: unknown) => {
        // The client logs it: a user of Redis that may read and write need not be allowed any channel.
        subscriber.emit('error', error);
        after(RETRY_MS, () => {
          if (listener !== null && subscription === null) subscriber.disconnect(true);
        });
      });
    });
    subscriber.on('close', () => {
      subscription = null;
    });
  }

  return {
    /** Starts to tell the others what operators of this instance change, and to apply what theirs do. */
    listen(to: ChannelListener): void {
      listener = to;
      const { cache, changes } = to;
      cache.onPurge(sendPurge);
      for (const purge of to.purges) sendPurge(purge);
      changes.onAdd(() => sendState('changes', changes.list()));
      let before = cache.policies.changes();
      // An empty Redis lacks them.
      for (const resource of RESOURCES)
        if (before[resource]) texts.set(keptState(resource), JSON.stringify(before[resource]));
      cache.policies.onChange(() => {
        const now = cache.policies.changes();
        for (const resource of RESOURCES)
          if (!isDeepStrictEqual(now[resource], before[resource]))
            sendState(policyState(resource), now[resource] ?? null);
        before = now;
      });
      cache.mode.onChange(() => sendState('mode', modeOf(cache)));
      subscribe();
    },
    /** Resolves with true once policies and modes were read, or with false after `ms`. */
    inForce: async (ms: number): Promise<boolean> => (await withTimeout(ms, firstRead.promise)) ?? false,
    /** Returns the id of the last purge of any instance; null while it is not known: then nothing is shared. */
    lastPurge: (): string | null =>
      subscription !== null && subscription === readSince && unsentPurges.size === 0 ? lastPurge : null,
    /** Whether it hears the other instances: false also where the user of Redis may use no channel. */
    isSubscribed: () => subscription !== null,
    /** Returns the purges that are not known to be sent. */
    unsentPurges: (): Purge[] => [...unsentPurges.values()],
    /** Resolves once the last change of this instance was published, or could not be. */
    published: (): Promise<void> => exchanges,
    close(): void {
      listener = null;
      clearTimeout(staleTimer);
      clearTimeout(retryTimer);
    },
  };
}
