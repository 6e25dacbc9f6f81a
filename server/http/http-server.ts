import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import type { RequestGuard } from './request-guard.ts';

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
 * Makes a server for Fastify's `serverFactory`. `listener` must call `guard.admit` first. `maxResponseMs`: by then (ms) a
 * response has begun, if only the 503 of a page that took too long; no connection is closed for inactivity before.
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

const SWEEP_MS = 50;
/** Connections without a request that are known; of more, those that are open longest end by their timeout. */
const MAX_UNUSED = 200;

/**
 * Ends every idle connection while the app closes. Node ends only those that are idle when closing begins: one whose
 * response was still being sent stays open for the next request, and one without any request yet, as browsers open
 * ahead of need, counts as busy. Each would delay the shutdown until its timeout.
 */
export const closeIdleConnections = fp(
  async (app: FastifyInstance): Promise<void> => {
    /**
     * Connections without a request so far, some of them closed. They have no `close` listener: Node adds and removes its
     * own for each request, and a second listener beside it kept every request alive until the next full garbage
     * collection, which cost a third of the throughput.
     */
    const unused = new LRUCache<Socket, true>({ max: MAX_UNUSED });
    app.server.on('connection', (socket) => unused.set(socket, true));
    app.server.on('request', ({ socket }) => unused.delete(socket));

    function sweep(): void {
      app.server.closeIdleConnections();
      for (const socket of unused.keys()) if (socket.bytesRead === 0) socket.destroy();
    }

    // Also where the server has been drained, and listens no more.
    let sweeping: NodeJS.Timeout | undefined;
    app.addHook('preClose', async () => {
      sweeping = setInterval(sweep, SWEEP_MS);
    });
    app.addHook('onClose', async () => clearInterval(sweeping));
  },
  { name: 'close-idle-connections' },
);

/**
 * Gives Fastify's parsers a stream that ends for a request with a media type but no body at all, neither a length nor
 * chunks. Node's `optimizeEmptyRequests` has ended the request's own stream before, and they would wait for its end.
 */
export const emptyBody = fp(
  async (app: FastifyInstance): Promise<void> => {
    app.addHook('preParsing', ({ headers, raw }, _reply, payload, done) => {
      const hasEnded = headers['content-type'] !== undefined && raw.readableEnded;
      done(null, hasEnded ? Readable.from([]) : payload);
    });
  },
  { name: 'empty-body' },
);
