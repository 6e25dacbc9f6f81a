import type { FastifyInstance, FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TooManyRequests } from '#server/errors.ts';
import type { CountRequest, CountSoon, ReaderMinute } from './request-counter.ts';

/** Requests a minute for one reader; 0 turns a limit off. */
export interface RateLimits {
  read: number;
  write: number;
}

export interface RateLimitDeps {
  limits: RateLimits;
  /** Reads and writes are counted apart; reads are never waited for. */
  counters: { read: CountSoon; write: CountRequest };
  /** Monotonic milliseconds. */
  clock: () => number;
}

const networks = new LRUCache<string, string>({ max: 5_000, memoMethod: networkOf });

/** One reader is one IPv4 address or one IPv6 network of 64 bits: a single household owns that many addresses. */
export function readerKey(ip: string): string {
  return ip.includes(':') ? networks.memo(ip) : ip;
}

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6'
    ? `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : address.toString();
}

/** Counts a read of a reader that no hook has counted. False: it is one too many, and Fastify refuses it. */
export function createReadAllowance({
  limits,
  counters,
}: Pick<RateLimitDeps, 'limits' | 'counters'>): (ip: string) => boolean {
  return (ip) => limits.read === 0 || counters.read(readerKey(ip)).requests <= limits.read;
}

/** Refuses a reader who asked too often, with the seconds until the minute ends in `retry-after`. */
export function registerRateLimit(app: FastifyInstance, { limits, counters, clock }: RateLimitDeps): void {
  function refusal(kind: keyof RateLimits, { requests, endsAt }: ReaderMinute, reply: FastifyReply) {
    if (requests <= limits[kind]) return undefined;
    reply.header('retry-after', String(Math.max(1, Math.ceil((endsAt - clock()) / 1000))));
    return new TooManyRequests();
  }

  app.addHook('onRequest', (request, reply, done) => {
    const kind = request.method === 'POST' ? 'write' : 'read';
    if (limits[kind] === 0) return done();
    const minute = counters[kind](readerKey(request.ip));
    if (!(minute instanceof Promise)) return done(refusal(kind, minute, reply));
    minute.then((agreed) => done(refusal(kind, agreed, reply)), done);
  });
}
