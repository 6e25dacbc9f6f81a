import type { IncomingMessage } from 'node:http';
import fastifyRateLimit, {
  type FastifyRateLimitStoreCtor,
  normalizeIP,
  type RateLimitPluginOptions,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { Config } from '#server/config.ts';
import { TooManyRequests } from '#server/errors.ts';
import { type Bucket, detach, type RateLimitStores, WINDOW_MS } from './rate-limit-store.ts';

/** Requests a minute for one client, by bucket; 0 turns a bucket off. */
export type RateLimits = Config['rateLimit'];

export interface RateLimitOptions {
  config: { rateLimit: RateLimits };
  rateLimitStores: RateLimitStores;
  clientIpOf: (request: IncomingMessage) => string;
}

const MAX_IP_LENGTH = 64;
const networks = new LRUCache<string, string>({ max: 5_000 });

/** Returns the key of a client's window: its IPv4 address, or its IPv6 /64, because one household has that many. */
export function clientOf(ip: string): string {
  // With TRUST_PROXY=true it may be any text that a client sends.
  const text = ip.length > MAX_IP_LENGTH ? ip.slice(0, MAX_IP_LENGTH) : ip;
  if (!text.includes(':')) return text;
  // Parsing an IPv6 address takes a quarter of the time of a cache hit.
  const known = networks.get(text);
  if (known !== undefined) return known;
  const network = normalizeIP(text);
  networks.set(detach(text), network);
  return network;
}

/** Counts reads for the front cache. False: the limit is reached; Fastify then counts and refuses the request. */
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
  async (app: FastifyInstance, options: RateLimitOptions): Promise<void> => {
    const { config, rateLimitStores, clientIpOf } = options;
    const limits = config.rateLimit;
    await app.register(fastifyRateLimit, {
      global: limits.read > 0,
      max: limits.read,
      timeWindow: WINDOW_MS,
      // Not `request.ip`: the request of a target that cannot be decoded trusts no proxy.
      keyGenerator: ({ raw }) => clientOf(clientIpOf(raw)),
      store: storeClass(rateLimitStores),
      errorResponseBuilder: () => new TooManyRequests(),
      enableDraftSpec: true,
      addHeadersOnExceeding: ONLY_WHEN_REFUSED,
      skipOnError: true,
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
  const limit = routeOptions.config.rateLimit;
  const name = typeof limit === 'object' ? limit.groupId : 'read';
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

/** Returns a store class for the plugin, which makes one instance, and a child for each route with a configuration. */
function storeClass(stores: RateLimitStores): FastifyRateLimitStoreCtor {
  return class {
    readonly incr = stores.read.incr.bind(stores.read);

    child(options: object) {
      const bucket = 'groupId' in options ? options.groupId : 'read';
      return bucket === 'write' || bucket === 'beacon' ? stores[bucket] : stores.read;
    }
  };
}
