import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { endSilentConnections } from './silent-connections.ts';

let app: FastifyInstance;
let port: number;
let release: () => void;

beforeEach(async () => {
  const held = Promise.withResolvers<void>();
  release = held.resolve;
  // Without timeouts of its own: nothing but the plugin ends a silent connection in time.
  app = Fastify({ connectionTimeout: 0, requestTimeout: 0 });
  endSilentConnections(app);
  app.get('/held', async () => {
    await held.promise;
    return 'whole';
  });
  app.get('/', async () => 'here');
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});

it('closes although a connection is open that never said a word', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // The app knows of it once it has answered something that came after it.
  await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const ended = once(socket, 'close');
  await app.close();
  await ended;
});

it('lets a request that is under way have its whole answer', async () => {
  const arrived = once(app.server, 'request');
  const answer = fetch(`http://127.0.0.1:${port}/held`);
  await arrived;
  const closed = app.close();
  release();
  expect(await (await answer).text()).toBe('whole');
  await closed;
});
