import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

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
    const value = header === null ? undefined : request.headers[header];
    const ip = typeof value === 'string' ? withoutPort(value.trim()) : '';
    const { remoteAddress: sender } = request.socket;
    const isNamed = isIP(ip) !== 0 && sender !== undefined && trusts(sender, 0);
    return copyOf(isNamed ? ip : proxyAddr(request, trusts) || '');
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
