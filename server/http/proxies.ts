import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { HEALTH_CHECK_PATHS } from './health.ts';

/**
 * Returns a function that gives the IP of a request's client. From a proxy of `TRUST_PROXY`: that of the CDN's header
 * (`CLIENT_IP_HEADER`), else by `X-Forwarded-For` the nearest address that is not such a proxy's. From anybody else its own.
 * Empty where the connection is closed. Nothing else reads these headers: Fastify's `request.ip` is the nearest proxy's.
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
    return isNamed ? ip.trim() : proxyAddr(request, trusts) || '';
  };
}

/**
 * Returns whether a request came through the CDN: its `X-Origin-Secret` is `ORIGIN_SECRET`, its path is that of a health
 * check, which comes from inside, where nobody knows the secret, or no secret is set. Compares digests in constant time.
 */
export function createOriginSecretCheck(
  secret: string | null,
): (path: string, headers: IncomingHttpHeaders) => boolean {
  if (secret === null) return () => true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (path, { 'x-origin-secret': given }) =>
    HEALTH_CHECK_PATHS.has(path.split('?', 1)[0] ?? '') ||
    (typeof given === 'string' && timingSafeEqual(digest(given), expected));
}
