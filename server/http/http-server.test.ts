import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drainConnections } from '#server/process/graceful-shutdown.ts';
import { closeIdleConnections, createHttpServer } from './http-server.ts';
import { createRequestGuard } from './request-guard.ts';

let server: Server;

beforeEach(async () => {
  const guard = createRequestGuard({ headers: () => ({}), nextId: () => 'id', onResponse: () => undefined });
  server = createHttpServer(guard, (_request, response) => void response.end());
  server.on('clientError', guard.onClientError);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function open(bytes: string) {
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  client.write(bytes);
  return client;
}

it('has every timeout that a slow client needs', () => {
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    timeout: 10_000,
    connectionsCheckingInterval: 2_000,
    httpValidation: 'strict',
    requireHostHeader: false,
  });
});

it('sends 408 to a client that takes too long for its headers, and closes', async () => {
  server.headersTimeout = 50;
  expect(await text(open('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '))).toMatch(/^HTTP\/1\.1 408 /);
});

it('closes a connection on which nothing is sent', async () => {
  server.setTimeout(50);
  const client = open('');
  await once(client, 'close');
  expect(client.bytesRead).toBe(0);
});

it('closes no connection before a response may have begun: its reader gets a 503', () => {
  const guard = { attach: () => undefined };
  expect(createHttpServer(guard, () => undefined, 70_000).timeout).toBeGreaterThan(70_000);
});

let app: FastifyInstance;
let agent: Agent;
let port: number;
/** The body of `/held` after its first bytes. */
let rest: Readable;

beforeEach(async () => {
  rest = new Readable({ read: () => undefined });
  // Without timeouts: only the plugin ends an idle connection in time.
  app = Fastify({ connectionTimeout: 0, requestTimeout: 0, keepAliveTimeout: 600_000 });
  await app.register(closeIdleConnections);
  app.get('/held', async (_request, reply) => {
    rest.push('begun');
    return reply.type('text/plain').send(rest);
  });
  app.get('/', async () => 'here');
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  agent = new Agent({ keepAlive: true });
});

afterEach(() => agent.destroy());

async function responseOf(path: string): Promise<IncomingMessage> {
  const [response] = await once(get({ port, path, agent, host: '127.0.0.1' }), 'response');
  return response;
}

it('closes an app with a connection on which nothing was sent', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // The server has accepted it once it has responded on a later connection.
  await text(await responseOf('/'));
  const ended = once(socket, 'close');
  await app.close();
  await ended;
});

it('closes a drained app with a connection on which nothing was sent', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await text(await responseOf('/'));
  const ended = once(socket, 'close');
  await drainConnections(app.server, 0, 0);
  await app.close();
  await ended;
});

it('completes a response that has begun, then ends its connection', async () => {
  const response = await responseOf('/held');
  const closed = app.close();
  // The listener is closed to others while this one is still under way.
  await expect.poll(() => app.server.listening).toBe(false);
  rest.push(' and ended');
  rest.push(null);
  expect(await text(response)).toBe('begun and ended');
  await closed;
});

it('closes an app that never listened', async () => {
  const silent = Fastify();
  await silent.register(closeIdleConnections);
  await silent.ready();
  await silent.close();
  await app.close();
});
