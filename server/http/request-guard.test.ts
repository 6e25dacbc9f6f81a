import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';
import { createRequestGuard, type RequestGuardDeps } from './request-guard.ts';
import type { CompletedResponse } from './response-observer.ts';

let server: Server;
let client: Socket;
/** Requests that the guard admitted, and those that it responded to. */
let seen: string[];
let completed: Pick<CompletedResponse, 'method' | 'target' | 'status'>[];

const respondWhole: RequestListener = (request, response) => void response.end(`whole ${request.url}\n`);

async function listen(
  listener: RequestListener = respondWhole,
  parts: Pick<RequestGuardDeps, 'isThroughCdn' | 'allowsRefused'> = {},
): Promise<void> {
  seen = [];
  completed = [];
  const guard = createRequestGuard({
    ...parts,
    headers: () => ({ 'x-own': 'header' }),
    nextId: () => 'id',
    onResponse: ({ method, target, status }) => completed.push({ method, target, status }),
  });
  server = createHttpServer(
    guard,
    guard.before((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      listener(request, response);
    }),
  );
  server.on('clientError', guard.onClientError);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function open(bytes: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const address = server.address();
  client = connect({
    port: typeof address === 'object' && address !== null ? address.port : 0,
    host: '127.0.0.1',
    ...options,
  });
  client.write(bytes, 'latin1');
  return client;
}

const statusesOf = (received: string) =>
  [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
const statuses = async (bytes: string) => statusesOf(await text(open(bytes)));

const HOST = 'Host: x\r\n';
const NEXT = `GET /next HTTP/1.1\r\n${HOST}\r\n`;

afterEach(() => {
  client?.destroy();
  server.closeAllConnections();
  server.close();
});

describe('a refused request', () => {
  it('gets one problem with the headers of every response, and later requests get nothing', async () => {
    await listen();
    const received = await text(open(`GET /../evil HTTP/1.1\r\n${HOST}\r\n${NEXT}${NEXT}`));
    expect(statusesOf(received)).toEqual(['400']);
    expect(received).toContain('\r\nx-own: header\r\n');
    expect(received).toContain('\r\nx-request-id: id\r\n');
    expect(received).toContain('\r\nconnection: close\r\n');
    expect(JSON.parse(received.slice(received.indexOf('{')))).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The request target is not valid.',
    });
    expect(seen).toEqual([]);
    expect(completed).toEqual([{ method: 'GET', target: '/../evil', status: 400 }]);
  });

  it('has no body where it was a HEAD', async () => {
    await listen();
    const received = await text(open(`HEAD /../evil HTTP/1.1\r\n${HOST}\r\n`));
    expect(statusesOf(received)).toEqual(['400']);
    expect(received).toMatch(/\r\n\r\n$/);
  });

  it('is refused after the responses to earlier requests', async () => {
    await listen((request, response) => {
      setImmediate(() => respondWhole(request, response));
    });
    const received = await text(open(`${NEXT}GET /../evil HTTP/1.1\r\n${HOST}\r\n`));
    expect(statusesOf(received)).toEqual(['200', '400']);
    expect(received).toContain('whole /next');
  });

  it('has its connection closed even if the client goes on sending and never reads', async () => {
    await listen();
    const connection = once(server, 'connection');
    open(`GET /../evil HTTP/1.1\r\n${HOST}\r\n`, { allowHalfOpen: true });
    const [socket] = await connection;
    await once(socket, 'close');
  });
});

describe('bytes that are not a request', () => {
  it('are refused after the responses to earlier requests', async () => {
    await listen((request, response) => {
      setImmediate(() => respondWhole(request, response));
    });
    const received = await text(open(`${NEXT}hello\r\n\r\n`));
    expect(statusesOf(received)).toEqual(['200', '400']);
    expect(received).toContain('whole /next');
  });

  it('in a body are refused after the responses to earlier requests', async () => {
    await listen((request, response) => {
      if (request.url === '/next') setTimeout(() => respondWhole(request, response), 50);
    });
    const received = await text(
      open(`${NEXT}${NEXT}POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    );
    expect(statusesOf(received)).toEqual(['200', '200', '400']);
    expect(received).toMatch(/whole \/next[\s\S]*whole \/next[\s\S]*400/);
  });

  it('in a body whose response has begun get no second response', async () => {
    await listen();
    expect(
      await statuses(`POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${NEXT}`),
    ).toEqual(['200']);
  });

  it('in a body that the handler waits for are a 400', async () => {
    await listen((request, response) => {
      request.resume().on('end', () => respondWhole(request, response));
    });
    expect(
      await statuses(`POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n${NEXT}`),
    ).toEqual(['400']);
  });

  it('after the last request of a connection get no response', async () => {
    await listen();
    expect(await statuses(`GET /a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n${NEXT}`)).toEqual(['200']);
    expect(seen).toEqual(['GET /a']);
  });

  it.each([
    ['FOO /a HTTP/1.1\r\n', '400'],
    ['get /a HTTP/1.1\r\n', '400'],
    ['hello\r\n', '400'],
    ['FOO\r\n', '400'],
  ])('without a known method: %j is %s', async (line, status) => {
    await listen();
    expect(await statuses(`${line}${HOST}\r\n${NEXT}`)).toEqual([status]);
    expect(await statuses(`${NEXT}${line}${HOST}\r\n`)).toEqual(['200', status]);
  });
});

describe('a connection that is inactive', () => {
  const HALF = `POST /a HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`;

  /** Opens a connection, and lets its inactivity timeout pass once its request is with the handler. */
  async function waitTooLong(bytes: string, respond: RequestListener = () => undefined): Promise<string> {
    await listen((request, response) => {
      respond(request, response);
      setImmediate(() => server.emit('timeout', request.socket));
    });
    return text(open(bytes));
  }

  it('in the middle of a body gets a 408', async () => {
    const received = await waitTooLong(`${HALF}`);
    expect(statusesOf(received)).toEqual(['408']);
    expect(received).toContain('\r\nx-request-id: id\r\n');
    expect(received).toContain('\r\nconnection: close\r\n');
  });

  it('in the middle of a body gets no second response', async () => {
    const received = await waitTooLong(
      HALF,
      (_request, response) => void response.writeHead(200).flushHeaders(),
    );
    expect(statusesOf(received)).toEqual(['200']);
  });

  it('after its request is closed', async () => {
    expect(await waitTooLong(NEXT)).toBe('');
  });
});

describe('Expect', () => {
  const post = (more: string) =>
    `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\nConnection: close\r\n${more}\r\nabc`;

  it('100-continue is met', async () => {
    await listen();
    expect(await statuses(post('Expect: 100-continue\r\n'))).toEqual(['100', '200']);
  });

  it('100-continue is not met for a request that is refused', async () => {
    await listen();
    const bytes = post('Expect: 100-continue\r\n').replace('/a', '/../evil.example');
    expect(await statuses(bytes)).toEqual(['400']);
  });

  it('is 417 for anything else', async () => {
    await listen();
    expect(await statuses(post('Expect: a-miracle\r\n'))).toEqual(['417']);
    expect(seen).toEqual([]);
  });
});

describe('another protocol', () => {
  it.each([`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, `CONNECT /a HTTP/1.1\r\n${HOST}\r\n`])(
    'is refused: %j',
    async (bytes) => {
      await listen();
      expect(await statuses(bytes + NEXT)).toEqual(['400']);
      expect(seen).toEqual([]);
    },
  );

  it('does not crash the server if its client disconnects at once', async () => {
    await listen();
    const connection = once(server, 'connection');
    open(`CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`).resetAndDestroy();
    const [socket] = await connection;
    // `once` would reject where the reset is told as an error first.
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    expect(await statuses(`GET /a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)).toEqual(['200']);
  });

  const OFFERS = {
    h2c: 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    websocket: 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
    'other, without a connection option': 'Upgrade: other\r\n',
  };

  it.each(Object.entries(OFFERS))(
    'that a request offers is ignored, and its response is the last of its connection: %s',
    async (_name, offer) => {
      await listen();
      for (const first of ['GET /a', 'HEAD /a', 'OPTIONS *']) {
        const received = await text(open(`${first} HTTP/1.1\r\n${HOST}${offer}\r\n${NEXT}`));
        expect(statusesOf(received)).toEqual([first === 'OPTIONS *' ? '204' : '200']);
        expect(received).toMatch(/^connection: close\r$/im);
      }
      expect(seen).toEqual(['GET /a', 'HEAD /a']);
    },
  );

  it.each(Object.entries(OFFERS))('nothing that comes later is a request: %s', async (_name, offer) => {
    const responses: ServerResponse[] = [];
    await listen((_request, response) => void responses.push(response));
    const received = text(open(`GET /a HTTP/1.1\r\n${HOST}${offer}\r\nGET /lost HTTP/1.1\r\nX: `));
    await expect.poll(() => responses).toHaveLength(1);
    const socket = responses[0]?.req.socket;
    const before = socket?.bytesRead ?? 0;
    client.write(`${NEXT}\r\nno request\r\n\r\n`);
    await expect.poll(() => (socket?.bytesRead ?? 0) > before).toBe(true);
    responses[0]?.end('whole');
    expect(statusesOf(await received)).toEqual(['200']);
    expect(seen).toEqual(['GET /a']);
  });

  it('takes a body that comes with the offer', async () => {
    await listen(async (request, response) => {
      response.end(await text(request).catch(() => 'cut'));
    });
    const post = `POST /a HTTP/1.1\r\n${HOST}${OFFERS.h2c}Transfer-Encoding: chunked\r\n\r\n`;
    const received = await text(open(`${post}3\r\nabc\r\n0\r\n\r\n${NEXT}`));
    expect(statusesOf(received)).toEqual(['200']);
    expect(received).toContain('abc');
  });
});

describe('a client whose requests are all refused', () => {
  it('gets 429 above its limit, and may do what is not refused', async () => {
    let allowed = 2;
    await listen(respondWhole, { allowsRefused: () => allowed-- > 0 });
    const received = await text(open(`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`.repeat(3)));
    expect(statusesOf(received)).toEqual(['204', '204', '429']);
    expect(received).toMatch(/^retry-after: 60\r$/m);
    for (const refused of [`GET /../x HTTP/1.1\r\n${HOST}\r\n`, 'no request\r\n\r\n'])
      expect(await statuses(refused)).toEqual(['429']);
    expect(await statuses(`GET /a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)).toEqual(['200']);
    expect(completed.map(({ method, status }) => [method, status])).toEqual([
      ['OPTIONS', 204],
      ['OPTIONS', 204],
      ['OPTIONS', 429],
      ['GET', 429],
      ['_OTHER', 429],
    ]);
  });
});

it.each([8_001, 20_000, 200_000])('a target of %i characters is a 414', async (length) => {
  await listen();
  const target = `/${'a'.repeat(length - 1)}`;
  expect(await statuses(`GET ${target} HTTP/1.1\r\n${HOST}\r\n${NEXT}`)).toEqual(['414']);
  expect(await statuses(`GET / HTTP/1.1\r\n${HOST}X-Long: ${target.repeat(3)}\r\n\r\n`)).toEqual(['431']);
  expect(
    await statuses(`GET ${target.slice(0, 8_000)} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`),
  ).toEqual(['200']);
});

it('OPTIONS * is 204 with the methods of the server', async () => {
  await listen();
  const received = await text(open(`OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`));
  expect(received).toMatch(/^HTTP\/1\.1 204 /);
  expect(received).toContain('allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  expect(await statuses(`GET * HTTP/1.1\r\n${HOST}\r\n`)).toEqual(['400']);
});

it('a target in absolute form is its path', async () => {
  await listen();
  expect(await statuses(`GET http://evil.example/a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)).toEqual([
    '200',
  ]);
  expect(seen).toEqual(['GET /a']);
});

describe('without the secret of the CDN', () => {
  it.each([
    ['GET /a', ''],
    ['OPTIONS *', ''],
    ['POST /a', 'Content-Length: 3\r\nExpect: 100-continue\r\n'],
  ])('%s is a 403 alone', async (line, more) => {
    await listen(respondWhole, { isThroughCdn: () => false });
    expect(await statuses(`${line} HTTP/1.1\r\n${HOST}${more}\r\n`)).toEqual(['403']);
    expect(seen).toEqual([]);
  });
});
