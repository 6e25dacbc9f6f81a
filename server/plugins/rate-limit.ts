import { isIPv4 } from 'node:net';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Requests a minute for one reader; 0 turns a limit off. */
export interface RateLimits {
  read: number;
  write: number;
}

/** One reader is one IPv4 address or one IPv6 network of 64 bits: a single household owns that many addresses. */
export function readerKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6'
    ? `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : address.toString();
}

/** Reads and writes are counted apart. `store`: where several instances count together; here alone where it is not given. */
export async function registerRateLimit(
  app: FastifyInstance,
  limits: RateLimits,
  store?: FastifyRateLimitStoreCtor,
): Promise<void> {
  if (limits.read === 0 && limits.write === 0) return;
  const isWrite = (method: string) => method === 'POST';
  await app.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    timeWindow: 60_000,
    cache: 20_000,
    ...(store && { store }),
    keyGenerator: (request) => `${isWrite(request.method) ? 'write' : 'read'} ${readerKey(request.ip)}`,
    max: (request) => (isWrite(request.method) ? limits.write : limits.read),
    allowList: (request) => (isWrite(request.method) ? limits.write : limits.read) === 0,
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
    errorResponseBuilder: () => Object.assign(new Error('Too many requests'), { statusCode: 429 }),
  });
}
