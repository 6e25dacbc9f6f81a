import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { HEALTH_CHECK_PATHS } from './health.ts';

/** No address is longer. */
const MAX_IP_LENGTH = 64;

/**
 * Returns a function that gives the IP of a request's client. From a proxy of `TRUST_PROXY`: that of the CDN's header
 * (`CLIENT_IP_HEADER`), else by `X-Forwarded-For` the nearest address that is not such a proxy's. From anybody else its own.
 * Empty where the connection is closed. With `TRUST_PROXY=true` it may be any text that a client sends, no longer than an
 * address. Nothing else reads these headers: Fastify's `request.ip` is the nearest proxy's.
 */
export function createClientIp(
  trustProxy: boolean | string[],
  header: string | null = null,
): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = trustProxy === true ? () => true : proxyAddr.compile(trustProxy);
  return (request) => {
    const ip = header === null ? undefined : request.headers[header];
    const { remoteAddress: sender } = request.socket;
    const isNamed =
      typeof ip === 'string' && isIP(ip.trim()) !== 0 && sender !== undefined && trusts(sender, 0);
    return copyOf(isNamed ? ip.trim() : proxyAddr(request, trusts) || '');
  };
}

/** Returns an address without the port that some proxies write beside it: that is another one on each connection. */
export function withoutPort(ip: string): string {
  return isIP(ip) === 0 ? ip.replace(/^\[?(.*?)\]?:\d+$/, '$1') : ip;
}

/** Copies a text, because V8 keeps the whole text that a substring is cut from alive, here a header of up to 16 KiB. */
function copyOf(ip: string): string {
  return Buffer.from(ip.slice(0, MAX_IP_LENGTH)).toString();
}

/**
 * Returns whether a request came through the CDN: its `X-Origin-Secret` is `ORIGIN_SECRET`, its path is that of a health
 * check, which comes from inside, where nobody knows the secret, or no secret is set. Compares digests in constant time.
 */
export function createOriginSecretCheck(
  secret: string | null,
): (path: string, headers: IncomingHttpHeaders) => boolean {
  if (secret === null) return () => true;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(secret);
  return (path, { 'x-origin-secret': given }) =>
    HEALTH_CHECK_PATHS.has(path.split('?', 1)[0] ?? '') ||
    (typeof given === 'string' && timingSafeEqual(digest(given), expected));
}
