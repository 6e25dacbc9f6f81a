import { createServer, type RequestListener, type Server } from 'node:http';
import type { RequestGuard } from './guard/request-guard.ts';

/** A connection without a byte either way is cut after this (ms). */
const SOCKET_TIMEOUT_MS = 10_000;

/**
 * The settings of a server that strangers reach. They are whole: Fastify leaves those of a server from a `serverFactory`
 * to whoever made it.
 */
const OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  // Longer than load balancers keep theirs, so that none sends a request on a connection that is being closed.
  keepAliveTimeout: 72_000,
  // Node looks for connections past their time twice a minute unless told: a slow one would live three times as long.
  connectionsCheckingInterval: 2_000,
  // Also against a flag of the process that asks for less.
  httpValidation: 'strict',
  // The guard looks itself: its refusal carries the headers of every response.
  requireHostHeader: false,
  // A request without a body goes through no stream: a twentieth of a warm response.
  optimizeEmptyRequests: true,
  // An offer of HTTP/2 is passed over (RFC 9113, 3.1); any other protocol is refused by the guard.
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() !== 'h2c',
} satisfies Parameters<typeof createServer>[0];

/** Makes a server for Fastify's `serverFactory`. `listener` has to ask the guard before anything else. */
export function createHttpServer(guard: Pick<RequestGuard, 'attach'>, listener: RequestListener): Server {
  const server = createServer(OPTIONS, listener);
  server.setTimeout(SOCKET_TIMEOUT_MS);
  guard.attach(server);
  return server;
}
