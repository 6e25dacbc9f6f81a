import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterResponse } from './after-response.ts';

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
  afterResponse(response, work);
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
