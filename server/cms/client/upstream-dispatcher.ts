import type { Dispatcher } from 'undici';
import { createAgent, type ForwardProxies } from './proxy-agent.ts';

/** Size limit of a body, decompressed. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Connections, and so calls in flight. */
export const MAX_IN_FLIGHT = 64;

/** To connect takes this long at most, in milliseconds, or this share of a deadline that is longer than the default. */
const CONNECT_MS = 500;
const CONNECT_SHARE = 1 / 6;

/** Makes the connection pool of one upstream. `timeoutMs`: the deadline of a call (`UPSTREAM_TIMEOUT_MS`). */
export function createDispatcher(proxies: ForwardProxies, timeoutMs: number): Dispatcher {
  return createAgent(
    {
      connect: { timeout: connectTimeoutMs(timeoutMs) },
      // A response counts until the deadline of its call, whose signal ends it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connections: MAX_IN_FLIGHT,
      pipelining: 1,
    },
    proxies,
  );
}

/** Returns how long a connection may take where a call's deadline is `timeoutMs`. */
export function connectTimeoutMs(timeoutMs: number): number {
  return Math.max(CONNECT_MS, Math.round(timeoutMs * CONNECT_SHARE));
}
