import type { Dispatcher } from 'undici';
import { createAgent, type ForwardProxies } from './proxy-agent.ts';

/** Size limit of a body, decompressed. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Connections, and so calls in flight. */
export const MAX_IN_FLIGHT = 64;

/** Makes the connection pool of one upstream. */
export function createDispatcher(proxies: ForwardProxies): Dispatcher {
  return createAgent(
    {
      connect: { timeout: 500 },
      headersTimeout: 2_000,
      bodyTimeout: 2_000,
      connections: MAX_IN_FLIGHT,
      pipelining: 1,
      maxResponseSize: MAX_BODY_BYTES,
    },
    proxies,
  );
}
