import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * The address of a request's client under `TRUST_PROXY`, as Fastify's `request.ip` has it and by the library that
 * Fastify asks: the first, from this server outwards, that is no trusted proxy's. Empty where the connection has gone.
 */
export function createClientIp(trustProxy: boolean | string[]): (request: IncomingMessage) => string {
  if (trustProxy === false) return ({ socket }) => socket.remoteAddress ?? '';
  const trusts = trustProxy === true ? () => true : proxyAddr.compile(trustProxy);
  return (request) => proxyAddr(request, trusts) || '';
}
