import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import fastifyRateLimit, {
  type FastifyRateLimitStoreCtor,
  normalizeIP,
  type RateLimitPluginOptions,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Config } from '#server/config/config.ts';
import { TooManyRequests } from '#server/errors.ts';
import type { Services } from '#server/service-types.ts';
import type { Clock } from '#server/time.ts';
import { withoutPort } from './client-ip.ts';

/** Separate limits: reads, form posts, and beacons, which pages send by themselves. */
export type Bucket = 'read' | 'write' | 'beacon';

/** The windows of one bucket in Redis, in which all instances count. */
export interface SharedWindows {
  /** Counts a request. Resolves with its client's total, or with null if Redis does not respond in time. Never rejects. */
  count(client: string): Promise<{ requests: number; endsInMs: number } | null>;
}

export const WINDOW_MS = 60_000;
/** Clients of one bucket, of whom the least recently seen are evicted. */
export const MAX_CLIENTS = 20_000;

interface Window {
  requests: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

/** The windows of one bucket. */
export type RateLimitStore = ReturnType<typeof createRateLimitStore>;

/**
 * Counts the requests of each client in one bucket, in a fixed window of a minute that begins with the first request.
 * @fastify/rate-limit and the front cache count in the same store. Where instances count together, this one's own count
 * takes the place of theirs while Redis is away: nobody is ever without a limit.
 */
export function createRateLimitStore(clock: Clock, shared?: SharedWindows) {
  // With `max` each store would take the room of all clients before the first comes.
  const windows = new LRUCache<string, Window>({ maxSize: MAX_CLIENTS, sizeCalculation: () => 1 });

  function windowOf(client: string): Window {
    const now = clock.monotonic();
    const known = windows.get(client);
    if (known !== undefined && now < known.endsAt) return known;
    const begun = { requests: 0, endsAt: now + WINDOW_MS };
    windows.set(client, begun);
    return begun;
  }

  return {
    /** Counts a request and returns true; false, without counting it, where its client has reached `max`. */
    countUpTo(max: number, client: string): boolean {
      const window = windowOf(client);
      if (window.requests >= max) return false;
      window.requests++;
      return true;
    },

    /** Counts a request. Calls back synchronously unless instances count together. */
    incr(client: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
      const window = windowOf(client);
      window.requests++;
      const own = { requests: window.requests, endsInMs: window.endsAt - clock.monotonic() };
      const done = ({ requests, endsInMs }: typeof own): void =>
        callback(null, { current: requests, ttl: Math.max(1, endsInMs) });
      if (shared) void shared.count(client).then((counted) => done(counted ?? own));
      else done(own);
    },
  };
}

export type RateLimitStores = Readonly<Record<Bucket, RateLimitStore>>;

/** Makes the stores of all buckets. Instances count form posts and beacons together, and reads each for itself. */
export function createRateLimitStores(
  clock: Clock,
  windowsOf?: (bucket: Bucket) => SharedWindows,
): RateLimitStores {
  return {
    read: createRateLimitStore(clock),
    write: createRateLimitStore(clock, windowsOf?.('write')),
    beacon: createRateLimitStore(clock, windowsOf?.('beacon')),
  };
}

/** Requests a minute for one client, by bucket; 0 turns a bucket off. */
export type RateLimits = Config['rateLimit'];

/** Parsing an IPv6 address takes a quarter of the time of a cache hit. */
const networks = new LRUCache<string, string>({
  max: 5_000,
  memoMethod: (ip) => normalizeIP(withoutPort(ip)),
});

/** Returns the key of a client's window: its IPv4 address, or its IPv6 /64, because one household has that many. */
export function clientOf(ip: string): string {
  return ip.includes(':') ? networks.memo(ip) : ip;
}

/** Returns a function that counts a read. It returns false at the limit: Fastify then counts and refuses the request. */
export function createReadLimit(
  limits: RateLimits,
  { read }: Pick<RateLimitStores, 'read'>,
): (ip: string) => boolean {
  return (ip) => limits.read === 0 || read.countUpTo(limits.read, clientOf(ip));
}

/** Responses to reads are stored by browsers and shared caches, where one client's count means nothing. */
const ONLY_WHEN_REFUSED = {
  'ratelimit-limit': false,
  'ratelimit-remaining': false,
  'ratelimit-reset': false,
};
const ALWAYS = { 'ratelimit-limit': true, 'ratelimit-remaining': true, 'ratelimit-reset': true };

/**
 * Limits the requests of each client: reads on all routes that are registered afterwards, and where no route matches;
 * other buckets on the routes whose `config` names one.
 */
export const rateLimit = fp(
  async (
    app: FastifyInstance,
    { config, rateLimitStores, clientIpOf }: Pick<Services, 'config' | 'rateLimitStores' | 'clientIpOf'>,
  ): Promise<void> => {
    const limits = config.rateLimit;
    await app.register(fastifyRateLimit, {
      global: limits.read > 0,
      max: limits.read,
      timeWindow: WINDOW_MS,
      keyGenerator: ({ raw }) => clientOf(clientIpOf(raw)),
      store: storeClass(rateLimitStores),
      errorResponseBuilder: () => new TooManyRequests(),
      enableDraftSpec: true,
      addHeadersOnExceeding: ONLY_WHEN_REFUSED,
    });
    // In `onRequest`, before the body is parsed: a `preHandler` of the not-found handler would come after.
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      countRead(limits, request, reply).then(() => done(), done);
    });
  },
  { name: 'rate-limit' },
);

/** Returns the bucket that the requests of a route are counted in. */
export function bucketOf({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Bucket {
  return bucketIn(routeOptions.config.rateLimit);
}

function bucketIn(limit: object | false | undefined): Bucket {
  const name = limit && 'groupId' in limit ? limit.groupId : 'read';
  return name === 'write' || name === 'beacon' ? name : 'read';
}

/** Returns the `config.rateLimit` of a route in a bucket; a route without one is a read. */
export function routeRateLimit(limits: RateLimits, bucket: Bucket): RateLimitPluginOptions | false {
  return limits[bucket] > 0 && { max: limits[bucket], groupId: bucket, addHeadersOnExceeding: ALWAYS };
}

/** Counts a read for which Fastify runs no route's hooks. Rejects with `TooManyRequests`. */
export async function countRead(
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { server } = request;
  if (limits.read > 0) await server.rateLimit().call(server, request, reply);
}

/** Returns the store of each bucket as the plugin wants it: it makes one instance, and a child for each route's configuration. */
function storeClass(stores: RateLimitStores): FastifyRateLimitStoreCtor {
  return class {
    readonly incr = stores.read.incr;
    child(options: object): FastifyRateLimitStore {
      return { incr: stores[bucketIn(options)].incr, child: this.child };
    }
  };
}
