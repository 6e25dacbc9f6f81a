import type { IncomingMessage } from 'node:http';
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
