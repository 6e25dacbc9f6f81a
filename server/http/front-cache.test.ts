import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { buildCachedResponseSync, uncompress } from '#server/render/response-cache/encoded-bodies.ts';
import { systemClock } from '#server/time.ts';
import { NO_TRACING } from '#server/tracing/tracing.ts';
import { createAfterResponse, createFrontCache } from './front-cache.ts';
import { createRequestGuard } from './request-guard.ts';
import { createSendResponse } from './response/send-response.ts';
import type { CompletedResponse } from './response-observer.ts';

const CACHED = {
  kind: 'response',
  response: buildCachedResponseSync(200, 'text/plain; charset=utf-8', 'cached'),
  extra: { route: '/:category/:slug', page: 'article', viewOf: null },
  dependencies: [],
  complete: true,
  outcome: { forward: null, ttl: 1 },
} as const;

let app: FastifyInstance;
let origin: string;
/** IPs above their rate limit. */
let refused: Set<string>;
let completed: CompletedResponse[];
let looked: string[];
let logError: Mock<(fields: object, message: string) => void>;

/** An app whose routes respond `routed`. Cached: `/known`, and the API's `/api/known?page=1`. */
beforeEach(async () => {
  refused = new Set();
  completed = [];
  looked = [];
  logError = vi.fn();
  const nextId = () => 'id';
  const onResponse = (one: CompletedResponse) => void completed.push(one);
  const guard = createRequestGuard({ headers: () => ({}), nextId, onResponse });
  const frontCache = createFrontCache({
    clock: systemClock,
    guard,
    responses: {
      cached(key) {
        looked.push(key);
        if (key === '/broken') throw new Error('broken');
        return key === '/known' || key === '/known?thrown' || key === '/api/known?page=1' ? CACHED : null;
      },
    },
    clientIpOf: ({ socket }) => socket.remoteAddress ?? '',
    allows: (ip) => !refused.has(ip),
    nextId,
    maxResponseMs: 0,
    views: { beforePage: () => undefined, afterPage: () => undefined },
    sendResponse: createSendResponse(() => ({}), uncompress),
    onResponse(one) {
      onResponse(one);
      if (one.target === '/known?thrown') throw new Error('broken');
    },
    tracing: NO_TRACING,
    logger: { error: logError },
  });
  app = Fastify({
    serverFactory: frontCache,
    clientErrorHandler: guard.onClientError,
    return503OnClosing: false,
  });
  app.route({ method: ['GET', 'POST'], url: '/*', handler: async () => 'routed' });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

async function send(path: string, more: RequestInit = {}): Promise<string> {
  return (await fetch(origin + path, more)).text();
}

async function raw(bytes: string): Promise<string> {
  const client = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(client, 'connect');
  client.write(bytes);
  return text(client);
}

describe('the front cache', () => {
  it('responds with a problem to a request that fails in it, and logs it', async () => {
    const response = await fetch(`${origin}/broken`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      status: 500,
      detail: expect.not.stringContaining('broken'),
    });
    expect(logError).toHaveBeenCalledExactlyOnceWith({ err: new Error('broken') }, expect.any(String));
    expect(await send('/known')).toBe('cached');
  });

  it('serves the next requests where the work after a response fails, and logs it', async () => {
    expect(await send('/known?thrown')).toBe('cached');
    await vi.waitFor(() => expect(logError).toHaveBeenCalledOnce());
    expect(await send('/known')).toBe('cached');
  });

  it('serves cached pages and API responses, and leaves the rest to Fastify', async () => {
    expect(await send('/known')).toBe('cached');
    expect(await send('/api/known?page=1')).toBe('cached');
    expect(await send('/api/known?page=2')).toBe('routed');
    expect(await send('/other')).toBe('routed');
    expect(await send('/known', { method: 'POST', body: 'x' })).toBe('routed');
  });

  it('serves HEAD as GET, without the body', async () => {
    const [got, headed] = [
      await fetch(`${origin}/known`),
      await fetch(`${origin}/known`, { method: 'HEAD' }),
    ];
    // The client closes the connection of a HEAD; seconds may pass.
    const headersOf = ({ headers }: Response) => ({
      ...Object.fromEntries(headers),
      date: null,
      connection: null,
      'keep-alive': null,
    });
    expect(headed.status).toBe(200);
    expect(headersOf(headed)).toEqual(headersOf(got));
    expect(headed.headers.get('content-length')).toMatch(/^[1-9]/);
    expect(await headed.text()).toBe('');
  });

  it('looks up the path of a target in absolute form', async () => {
    expect(
      await raw('GET http://evil.example/known HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).toMatch(/cached$/);
    expect(looked).toEqual(['/known']);
  });

  it('sends what was asked for before a request that is refused', async () => {
    const known = 'GET /known HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const refused of ['GET /../x HTTP/1.1\r\nHost: x\r\n\r\n', 'no request\r\n\r\n']) {
      const received = await raw(known.repeat(3) + refused);
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
        '200',
        '200',
        '200',
        '400',
      ]);
    }
  });

  it('looks nothing up for a request that is refused', async () => {
    await raw('GET /known HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n');
    await raw('GET /known HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n');
    await raw('GET /../known HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(looked).toEqual([]);
  });

  it.each(['Content-Length: 3\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'])(
    'leaves a request with a body to Fastify: %j',
    async (rest) => {
      expect(await raw(`GET /known HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`)).toMatch(/routed$/);
    },
  );

  it('leaves a client above its rate limit to Fastify', async () => {
    refused.add('127.0.0.1');
    expect(await send('/known')).toBe('routed');
  });

  it('reports a response once it has left', async () => {
    await send('/known');
    await expect.poll(() => completed).toHaveLength(1);
    expect(completed[0]).toMatchObject({
      id: 'id',
      method: 'GET',
      target: '/known',
      route: '/:category/:slug',
      status: 200,
    });
  });

  it('ends the connection of a response while the server drains', async () => {
    app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    const received = await raw('GET /known HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(received).toMatch(/^connection: close\r$/im);
    expect(received).toMatch(/cached$/);
  });
});

let server: Server;
let client: Socket;
/** More than the system's buffers take for a client that does not read. */
const LARGE = Buffer.alloc(20_000_000);

/** A request on a connection whose client does not read yet. */
async function ask(): Promise<ServerResponse> {
  const asked = once(server, 'request');
  client.pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await asked;
  return response;
}

/** Responds to a request, and runs work after the response. */
async function respond(body: string | Buffer) {
  const response = await ask();
  const work = vi.fn();
  response.end(body);
  createAfterResponse(systemClock, vi.fn())(response, work);
  return { response, work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
});
afterEach(() => {
  client.destroy();
  server.close();
});

describe('work after a response', () => {
  it('runs when the response has left, and not before the handler is done', async () => {
    const { work } = await respond('short');
    expect(work).not.toHaveBeenCalled();
    await turn();
    expect(work).toHaveBeenCalledExactlyOnceWith(expect.any(Number), false);
  });

  it('waits for a slow client', async () => {
    const { response, work } = await respond(LARGE);
    await turn();
    expect(work).not.toHaveBeenCalled();
    const closed = once(response, 'close');
    client.resume();
    await closed;
    expect(work).toHaveBeenCalledExactlyOnceWith(expect.any(Number), false);
  });

  it('is told of a client that disconnected before the end', async () => {
    const { response, work } = await respond(LARGE);
    await turn();
    const closed = once(response, 'close');
    client.destroy();
    await closed;
    expect(work).toHaveBeenCalledExactlyOnceWith(expect.any(Number), true);
  });
});
