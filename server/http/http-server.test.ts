import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRequestGuard } from './guard/request-guard.ts';
import { createHttpServer } from './http-server.ts';

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
