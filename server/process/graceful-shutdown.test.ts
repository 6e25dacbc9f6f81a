import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeWithin, drainConnections, runShutdownSteps } from './graceful-shutdown.ts';

let app: FastifyInstance;
let port: number;
/** Ends the pending request. */
let finish: () => void;
let started: Promise<void>;

beforeEach(async () => {
  app = Fastify({ return503OnClosing: false });
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  started = begun.promise;
  finish = gate.resolve;
  app.get('/', async () => 'here');
  app.get('/slow', async () => {
    begun.resolve();
    await gate.promise;
    return 'whole';
  });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});

afterEach(() => closeWithin(app, 0));

/** A keep-alive connection with one completed request. */
async function idleConnection() {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => undefined);
  const ask = async (path: string): Promise<string> => {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    let response = '';
    while (!/here|whole/.test(response)) response += String(await once(socket, 'data'));
    return response.toLowerCase();
  };
  expect(await ask('/')).toContain('connection: keep-alive');
  return { socket, ask };
}

describe('drainConnections', () => {
  it('responds on a connection that was idle, and closes it', async () => {
    const { socket, ask } = await idleConnection();
    const drained = drainConnections(app.server, 1_000, 1_000);
    const closed = once(socket, 'close');
    expect(await ask('/')).toContain('connection: close');
    await closed;
    await drained;
  });

  it('accepts no more connections at its end, and lets the app close', async () => {
    await drainConnections(app.server, 0, 0);
    const refused = connect(port, '127.0.0.1');
    const [error] = await once(refused, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    await closeWithin(app, 60_000);
  });

  it('leaves a silent connection to `closeWithin`', async () => {
    const { socket } = await idleConnection();
    const closed = once(socket, 'close');
    await drainConnections(app.server, 1, 1);
    await closeWithin(app, 60_000);
    await closed;
  });
});

describe('closeWithin', () => {
  it('waits for a pending request', async () => {
    const { ask } = await idleConnection();
    const response = ask('/slow');
    await started;
    const closed = closeWithin(app, 60_000);
    finish();
    expect(await response).toContain('whole');
    await closed;
  });

  it('cuts a request that takes longer than its time', async () => {
    const { socket } = await idleConnection();
    socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await started;
    const cut = once(socket, 'close');
    await closeWithin(app, 1);
    await cut;
    finish();
  });
});

it('steps that throw or hang are logged, and stop no other', async () => {
  const done: string[] = [];
  const logged: unknown[] = [];
  const steps = [
    { name: 'hangs', share: 0.01, run: () => new Promise(() => undefined) },
    {
      name: 'throws',
      share: 0.1,
      run: () => {
        throw new Error('broken');
      },
    },
    { name: 'rejects', share: 0.1, run: () => Promise.reject(new Error('gone')) },
    { name: 'last', share: 0.1, run: async () => done.push('last') },
  ];
  await runShutdownSteps(steps, 1_000, { warn: (about) => logged.push(about) });
  expect(done).toEqual(['last']);
  expect(logged).toMatchObject([
    { step: 'hangs', err: { message: expect.stringMatching(/^it takes more than \d+ ms$/) } },
    { step: 'throws', err: { message: 'broken' } },
    { step: 'rejects', err: { message: 'gone' } },
  ]);
});

it('a step may take what those before it left of their shares, and none of those after it', async () => {
  const allowed: number[] = [];
  const steps = ['quick', 'next', 'last'].map((name) => ({
    name,
    share: 0.3,
    run: (ms: number) => {
      allowed.push(Math.ceil(ms / 60_000));
    },
  }));
  await runShutdownSteps(steps, 600_000, { warn: () => undefined });
  expect(allowed).toEqual([3, 6, 9]);
});
