import type { IncomingMessage } from 'node:http';
import rateLimit, {
  type FastifyRateLimitStoreCtor,
  normalizeIP,
  type RateLimitPluginOptions,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '#server/errors.ts';
import { type Bucket, detach, type RateLimitStores, WINDOW_MS } from './rate-limit-store.ts';

/** Requests a minute for one client; 0 turns a bucket off. */
export type RateLimits = Readonly<Record<Bucket, number>>;

/** What a route's `config` says of its bucket; a route that says nothing is a read. */
export type RouteRateLimit = RateLimitPluginOptions | false;

export interface RateLimitDeps {
  limits: RateLimits;
  stores: RateLimitStores;
  /** The IP of a request's client. */
  clientIpOf: (request: IncomingMessage) => string;
}

const MAX_IP_LENGTH = 64;
const networks = new LRUCache<string, string>({ max: 5_000 });

/** The client behind an IP: an IPv4 address, or an IPv6 /64, because one household owns that many addresses. */
export function clientOf(ip: string): string {
  // Where every proxy is trusted, it is any text that a client sends.
  const text = ip.length > MAX_IP_LENGTH ? ip.slice(0, MAX_IP_LENGTH) : ip;
  if (!text.includes(':')) return text;
  // Reading an IPv6 address takes a quarter of the time of a warm page.
  const known = networks.get(text);
  if (known !== undefined) return known;
  const network = normalizeIP(text);
  networks.set(detach(text), network);
  return network;
}

/** Counts reads that Fastify does not see. False: it is one too many, and Fastify counts and refuses it. */
export function createReadLimit(limits: RateLimits, { read }: RateLimitStores): (ip: string) => boolean {
  return (ip) => limits.read === 0 || read.countUpTo(limits.read, clientOf(ip));
}

/** What is allowed is cached by browsers and shared caches, where the count of one client at one time says nothing. */
const ONLY_WHEN_REFUSED = {
  'ratelimit-limit': false,
  'ratelimit-remaining': false,
  'ratelimit-reset': false,
};
const ALWAYS = { 'ratelimit-limit': true, 'ratelimit-remaining': true, 'ratelimit-reset': true };

/**
 * Registers the rate limit for all routes that are added afterwards, and for what no route takes. Resolves with what
 * routes of the other buckets have in their `config`, and with what counts a read that Fastify runs no hook for; that
 * rejects with `TooManyRequests`.
 */
export async function registerRateLimit(app: FastifyInstance, { limits, stores, clientIpOf }: RateLimitDeps) {
  await app.register(rateLimit, {
    global: limits.read > 0,
    max: limits.read,
    timeWindow: WINDOW_MS,
    // Not Fastify's own look at it: an address that cannot be decoded has a request that trusts no proxy.
    keyGenerator: ({ raw }) => clientOf(clientIpOf(raw)),
    store: storeClass(stores),
    errorResponseBuilder: () => new TooManyRequests(),
    enableDraftSpec: true,
    addHeadersOnExceeding: ONLY_WHEN_REFUSED,
    skipOnError: true,
  });
  const limitRead = app.rateLimit();
  async function countRead(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (limits.read > 0) await limitRead.call(app, request, reply);
  }
  // Before the body is read; the plugin's own way for what no route takes comes after it.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    countRead(request, reply).then(() => done(), done);
  });
  const bucket = (groupId: Bucket): RouteRateLimit =>
    limits[groupId] > 0 && { max: limits[groupId], groupId, addHeadersOnExceeding: ALWAYS };
  return { write: bucket('write'), beacon: bucket('beacon'), countRead };
}

/** The plugin makes its store, and one more for each route with a configuration: it is handed those that there are. */
function storeClass(stores: RateLimitStores): FastifyRateLimitStoreCtor {
  return class {
    readonly incr = stores.read.incr.bind(stores.read);

    child(options: object) {
      const bucket = 'groupId' in options ? options.groupId : 'read';
      return bucket === 'write' || bucket === 'beacon' ? stores[bucket] : stores.read;
    }
  };
}
