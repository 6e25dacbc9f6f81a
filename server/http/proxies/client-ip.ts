import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

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
 * Returns what has a request's `X-Forwarded-For` say what a CDN says in a header of its own (`CLIENT_IP_HEADER`), so that
 * everything that asks for the client's IP gets that one. The header is believed where the connection comes from an
 * address of `TRUST_PROXY` and it is an IP; otherwise the request stays as it is.
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
