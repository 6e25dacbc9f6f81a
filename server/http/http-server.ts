import { createServer, type RequestListener, type Server } from 'node:http';
import type { RequestGuard } from './guard/request-guard.ts';

/** Inactivity timeout of a connection (ms), and what it exceeds the longest wait for a response by. */
const SOCKET_TIMEOUT_MS = 10_000;
const MARGIN_MS = 2_000;

/** Options of a public server. Fastify sets none on a server from a `serverFactory`, so these are all of them. */
const OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than that of load balancers, so that none sends a request on a connection that this server is closing.
  keepAliveTimeout: 72_000,
  // Node's default is 30 s: a slow connection would live three times as long as its timeout.
  connectionsCheckingInterval: 2_000,
  // Overrides a command-line flag that relaxes it.
  httpValidation: 'strict',
  // The guard checks it instead: its refusal carries the headers of every response.
  requireHostHeader: false,
  // No body stream for a request without a body: saves a twentieth of a cache hit.
  optimizeEmptyRequests: true,
} satisfies Parameters<typeof createServer>[0];

/**
 * Makes a server for Fastify's `serverFactory`. `listener` must call `guard.admit` first. `maxResponseMs`: after this a
 * response has begun (ms); no connection is closed before, so that what is late is a 503.
 */
export function createHttpServer(
  guard: Pick<RequestGuard, 'attach'>,
  listener: RequestListener,
  maxResponseMs = 0,
): Server {
  const server = createServer(OPTIONS, listener);
  server.setTimeout(Math.max(SOCKET_TIMEOUT_MS, maxResponseMs + MARGIN_MS));
  guard.attach(server);
  return server;
}
