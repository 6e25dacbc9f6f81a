import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { HEALTH_CHECK_PATHS } from './health.ts';

/**
 * Returns a function that gives the IP of a request's client under `TRUST_PROXY`, as Fastify's `request.ip` does and
 * with the same library: the nearest address that is not a trusted proxy's. Empty where the connection is closed.
 */
export function createClientIp(trustProxy: boolean | string[]): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = trustProxy === true ? () => true : proxyAddr.compile(trustProxy);
  return (request) => proxyAddr(request, trusts) || '';
}

/**
 * Returns a function that copies the client IP from the CDN's header (`CLIENT_IP_HEADER`) into `X-Forwarded-For`, which
 * everything else reads, if the peer is a trusted proxy and the value is an IP.
 */
export function createClientIpHeader(
  trustProxy: boolean | string[],
  header: string | null,
): (request: IncomingMessage) => void {
  if (header === null || trustProxy === false) return () => undefined;
  const trusts = trustProxy === true ? () => true : proxyAddr.compile(trustProxy);
  return ({ headers, socket }) => {
    const ip = headers[header];
    if (typeof ip !== 'string' || isIP(ip.trim()) === 0) return;
    if (socket.remoteAddress !== undefined && trusts(socket.remoteAddress, 0))
      headers['x-forwarded-for'] = ip.trim();
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
