import type { Dispatcher } from 'undici';
import { createAgent, type ForwardProxies } from './proxy-agent.ts';

/** Size limit of a body, decompressed. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Connections, and so calls in flight. */
export const MAX_IN_FLIGHT = 64;

/** Headers and each part of a body may take this long at least, in milliseconds. */
const MIN_WAIT_MS = 2_000;
/** To connect takes this long at most, in milliseconds, or this share of a deadline that is longer than the default. */
const CONNECT_MS = 500;
const CONNECT_SHARE = 1 / 6;
/** What a cold call leaves of its deadline for a second attempt, in milliseconds. */
const SECOND_ATTEMPT_MS = 1_000;

/** Makes the connection pool of one upstream. `timeoutMs`: the deadline of a call (`UPSTREAM_TIMEOUT_MS`). */
export function createDispatcher(proxies: ForwardProxies, timeoutMs: number): Dispatcher {
  const waitMs = responseTimeoutMs(timeoutMs);
  return createAgent(
    {
      connect: { timeout: connectTimeoutMs(timeoutMs) },
      headersTimeout: waitMs,
      bodyTimeout: waitMs,
      connections: MAX_IN_FLIGHT,
      pipelining: 1,
      maxResponseSize: MAX_BODY_BYTES,
    },
    proxies,
  );
}

/** Returns how long a connection may take where a call's deadline is `timeoutMs`. */
export function connectTimeoutMs(timeoutMs: number): number {
  return Math.max(CONNECT_MS, Math.round(timeoutMs * CONNECT_SHARE));
}

/** Returns how long undici waits for headers, and between parts of a body, where a call's deadline is `timeoutMs`. */
export function responseTimeoutMs(timeoutMs: number): number {
  return Math.max(MIN_WAIT_MS, timeoutMs - SECOND_ATTEMPT_MS);
}
