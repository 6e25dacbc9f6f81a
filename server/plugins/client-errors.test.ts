import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerClientErrors } from './client-errors.ts';

let server: Server;
let port: number;
let client: Socket;

beforeEach(async () => {
  server = createServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 });
  server.on(
    'clientError',
    answerClientErrors({ 'x-own': 'header' }, () => 'id'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterEach(() => {
  client.destroy();
  server.close();
});

it('tells a client that takes too long for its headers so, and closes', async () => {
  client = connect(port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('x-own: header');
});

it('closes also where the client neither reads its answer nor closes its side', async () => {
  const connection = once(server, 'connection');
  client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  const [socket] = await connection;
  await once(socket, 'close');
});
