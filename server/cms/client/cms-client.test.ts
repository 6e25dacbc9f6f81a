import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#server/time.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { fakeClock } from '../../../tests/fixtures/clocks.ts';
import { type CallRecord, type CmsClientOptions, connectTimeoutMs, createCmsClient } from './cms-client.ts';
import { UpstreamError } from './upstream-error.ts';

const parse = (json: unknown) => json;

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Starts a small upstream on loopback that responds with `listener`, and makes a client of it. */
async function upstream(listener: RequestListener, options: Partial<CmsClientOptions> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const records: CallRecord[] = [];
  const logged: object[] = [];
  const client = createCmsClient({
    origin: `http://127.0.0.1:${port}/base/`,
    // Long, except in tests of the timeout: a busy machine may be slow.
    timeoutMs: 20_000,
    logger: { warn: (fields) => logged.push(fields) },
    clock: systemClock,
    onCall: (record) => records.push(record),
    ...options,
  });
  cleanUps.push(
    () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
    () => client.close(),
  );
  const get = (retry = false) => client.get('/api/x?page=1', { call: 'x', parse, retry });
  /** Reads twenty different things, none of which may be there. */
  const getMany = async (call = 'x') => {
    for (let n = 0; n < 20; n += 1) await client.get(`/api/${n}`, { call, parse }).catch(() => {});
  };
  return { client, get, getMany, requests, records, logged };
}

function json(body: unknown, status = 200): RequestListener {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function bytes(body: Buffer | string, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => void response.writeHead(200, headers).end(body);
}

function html(status: number): RequestListener {
  return (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
}

/** Responds to the first call with `first`, to all later ones with `then`. */
function firstThen(first: RequestListener, then: RequestListener): RequestListener {
  let calls = 0;
  return (request, response) => {
    calls += 1;
    (calls === 1 ? first : then)(request, response);
  };
}

function drip(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200).write('[');
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

describe('a read', () => {
  it('returns the parsed JSON of a response below the base path, and sends only its own headers', async () => {
    const { get, requests, records } = await upstream(json({ a: 'ü' }));
    expect(await get()).toEqual({ a: 'ü' });
    expect(requests[0]?.url).toBe('/base/api/x?page=1');
    expect(Object.keys(requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(requests[0]?.headers['user-agent']).toBe(`MartechMeridian/${packageJson.version}`);
    expect(records).toMatchObject([{ call: 'x', outcome: 'ok', status: 200 }]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('understands %s', async (encoding, compress) => {
    const { get } = await upstream(bytes(compress('{"a":1}'), { 'content-encoding': encoding }));
    expect(await get()).toEqual({ a: 1 });
  });

  const zeros = Buffer.alloc(64 * 1024 * 1024, 0x20);
  it.each<[string, RequestListener, { kind: string; status?: number | null }]>([
    ['a failure', json({}, 500), { kind: 'status', status: 500 }],
    ['a 404 that is a page of some proxy', html(404), { kind: 'status', status: 404 }],
    [
      'a 404 that says that it is JSON and is not',
      (_, r) => void r.writeHead(404, { 'content-type': 'application/json' }).end('<html>'),
      { kind: 'status', status: 404 },
    ],
    ['a 410 without a type', (_, r) => void r.writeHead(410).end(), { kind: 'status', status: 410 }],
    [
      'a redirect',
      (_, r) => void r.writeHead(302, { location: '/base/api/y' }).end(),
      { kind: 'status', status: 302 },
    ],
    ['a response that never comes', () => {}, { kind: 'timeout', status: null }],
    ['a body that drips', drip, { kind: 'timeout' }],
    ['a reset', (request) => void request.socket.destroy(), { kind: 'network' }],
    [
      'a cut body',
      (_, r) => void r.writeHead(200, { 'content-length': '9' }).write('[1', () => r.destroy()),
      { kind: 'network' },
    ],
    [
      'a cut gzip',
      bytes(gzipSync('[1,2,3]').subarray(0, 12), { 'content-encoding': 'gzip' }),
      { kind: 'network' },
    ],
    ['truncated JSON', bytes('{"a":'), { kind: 'not-json' }],
    ['HTML', bytes('<!doctype html>'), { kind: 'not-json' }],
    ['nothing', bytes(''), { kind: 'not-json' }],
    ['deep nesting', bytes('['.repeat(100_000) + ']'.repeat(100_000)), { kind: 'not-json' }],
    ['an unknown encoding', bytes('x', { 'content-encoding': 'zstd' }), { kind: 'not-json' }],
    ['a huge body', bytes(zeros), { kind: 'too-large' }],
    ['a decompression bomb', bytes(gzipSync(zeros), { 'content-encoding': 'gzip' }), { kind: 'too-large' }],
  ])('ends in a named error for %s', async (_, listener, error) => {
    const { get, logged, requests } = await upstream(
      listener,
      error.kind === 'timeout' ? { timeoutMs: 300 } : {},
    );
    await expect(get()).rejects.toMatchObject({ name: 'UpstreamError', call: 'x', ...error });
    expect(logged).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  it.each([404, 410])('says that there is nothing where the upstream says so in JSON: %i', async (status) => {
    for (const type of ['application/json; charset=utf-8', 'application/problem+json']) {
      const { client, logged, records } = await upstream((_, response) =>
        response.writeHead(status, { 'content-type': type }).end('{"message":"none"}'),
      );
      const author = client.get('/api/author/7', { call: 'author', parse });
      await expect(author).rejects.toMatchObject({ kind: 'not-found', status });
      expect(logged).toEqual([]);
      expect(records).toMatchObject([{ outcome: 'not-found', status }]);
    }
  });

  it.each(['post.search', 'post.homelatest', 'advertisement.get_active'])(
    'logs that the upstream does not have the list %s',
    async (call) => {
      const { client, logged } = await upstream(json({ message: 'none' }, 404));
      await expect(client.get('/api/x', { call, parse })).rejects.toMatchObject({
        kind: 'not-found',
        status: 404,
      });
      expect(logged).toHaveLength(1);
    },
  );

  it('of a wrong shape is recorded as one, and is no failure to the circuit breaker', async () => {
    const clock = fakeClock();
    const { client, logged, records } = await upstream(json({}), { clock });
    const misshapen = () => {
      throw new UpstreamError('shape', 'x');
    };
    for (let n = 0; n < 40; n += 1)
      await expect(client.get('/', { call: 'x', parse: misshapen })).rejects.toMatchObject({ kind: 'shape' });
    expect(records[0]).toMatchObject({ call: 'x', outcome: 'shape' });
    expect(client.breakerState()).toBe('closed');
    clock.monotonicMs += 1_000;
    await expect(client.get('/', { call: 'x', parse: misshapen })).rejects.toMatchObject({ kind: 'shape' });
    expect(logged).toMatchObject([
      { call: 'x', kind: 'shape', count: 1 },
      { call: 'x', kind: 'shape', count: 40 },
    ]);
  });

  it('that a proxy sends with 404 is a failure to the circuit breaker', async () => {
    const { getMany, client } = await upstream(html(404));
    await getMany();
    expect(client.breakerState()).toBe('open');
  });

  it('counts brackets within strings for nothing', async () => {
    const text = `\\"${'['.repeat(500)}`;
    const { get } = await upstream(json([text]));
    expect(await get()).toEqual([text]);
  });

  it('fails at a closed port as a network error', async () => {
    const { client } = await upstream(json([]), { origin: 'http://127.0.0.1:9' });
    await expect(client.get('/', { call: 'x', parse })).rejects.toMatchObject({ kind: 'network' });
  });

  it.each([
    ['a page with 404', html(404)],
    ['a page with 200', html(200)],
    ['405', json({}, 405)],
    ['501', json({}, 501)],
  ])('that an upstream may not have is absent with %s, which is no failure', async (_, listener) => {
    const { client } = await upstream(listener);
    for (let n = 0; n < 30; n += 1) {
      const optional = client.get(`/api/${n}`, { call: 'x', parse, isOptional: true });
      await expect(optional).rejects.toMatchObject({ kind: 'not-found' });
    }
    expect(client.breakerState()).toBe('closed');
  });

  it('that an upstream may not have fails with 500 as any other', async () => {
    const { client } = await upstream(json({}, 500));
    const optional = client.get('/api/x', { call: 'x', parse, isOptional: true });
    await expect(optional).rejects.toMatchObject({ kind: 'status', status: 500 });
  });

  it('is tried up to three times where that is allowed, and only after a failure', async () => {
    const failing = await upstream(firstThen(json({}, 500), json([1])));
    expect(await failing.get(true)).toEqual([1]);
    expect(failing.records.map(({ outcome }) => outcome)).toEqual(['status', 'ok']);

    const unavailable = await upstream(json({}, 503));
    await expect(unavailable.get(true)).rejects.toMatchObject({ status: 503 });
    expect(unavailable.requests).toHaveLength(3);

    for (const status of [403, 404, 429, 501]) {
      const upstreamWithStatus = await upstream(json({}, status));
      await expect(upstreamWithStatus.get(true)).rejects.toMatchObject({ status });
      expect(upstreamWithStatus.requests).toHaveLength(1);
    }
  });

  it('stays within one deadline, further attempts included', async () => {
    const timeoutMs = 2_000;
    const { get } = await upstream(
      firstThen(json({}, 500), () => {}),
      { timeoutMs },
    );
    const start = performance.now();
    await expect(get(true)).rejects.toMatchObject({ kind: 'timeout' });
    expect(performance.now() - start).toBeLessThan(2 * timeoutMs);
  });

  it('waits for the response until its deadline, and sends no second request meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrived = Promise.withResolvers<ServerResponse>();
    const { get, requests } = await upstream(
      firstThen((_, response) => arrived.resolve(response), json([2])),
      { timeoutMs: 3_000 },
    );
    const got = get(true);
    const response = await arrived.promise;
    await vi.advanceTimersByTimeAsync(2_900);
    response.writeHead(200).end('[1]');
    expect(await got).toEqual([1]);
    expect(requests).toHaveLength(1);
  });

  it('waits for a slot while 64 are in flight, and is rejected at once when 1,024 wait', async () => {
    const { client, requests } = await upstream(() => {}, { timeoutMs: 60_000 });
    const kinds = Array.from({ length: 64 + 1_024 }, () =>
      client.get('/', { call: 'x', parse }).catch((error) => error.kind),
    );
    await expect(client.get('/', { call: 'x', parse })).rejects.toMatchObject({ kind: 'overloaded' });
    await expect.poll(() => requests.length).toBe(64);
    expect(client.breakerState()).toBe('closed');
    await client.close();
    await Promise.all(kinds);
  });

  it('is cut when the client closes, of which nothing is logged', async () => {
    const { getMany, client, requests, logged } = await upstream(() => {}, { timeoutMs: 60_000 });
    const cut = Array.from({ length: 3 }, () => getMany());
    await expect.poll(() => requests.length).toBe(3);
    await client.close();
    await Promise.all(cut);
    expect(logged).toEqual([]);
  });

  it('is rejected at once while the circuit breaker is open, without a request', async () => {
    const clock = fakeClock();
    const { get, getMany, client, requests } = await upstream(json({}, 502), { clock });
    await getMany();
    expect(client.breakerState()).toBe('open');
    await expect(get(true)).rejects.toMatchObject({ kind: 'breaker-open' });
    expect(requests).toHaveLength(20);
    clock.monotonicMs += 5_000;
    await expect(get()).rejects.toMatchObject({ status: 502 });
    expect(client.breakerState()).toBe('open');
  });

  it('fails once for the circuit breaker, however often it is tried', async () => {
    const { client, requests } = await upstream(json({}, 502));
    for (let n = 0; n < 19; n += 1)
      await client.get(`/api/${n}`, { call: 'x', parse, retry: true }).catch(() => {});
    expect(requests).toHaveLength(3 * 19);
    expect(client.breakerState()).toBe('closed');
    await client.get('/api/19', { call: 'x', parse }).catch(() => {});
    expect(client.breakerState()).toBe('open');
  });

  it('has a circuit breaker apart from that of calls that the upstream may not have', async () => {
    const { client } = await upstream((request, response) =>
      json([1], request.url?.endsWith('/news') ? 200 : 500)(request, response),
    );
    for (let n = 0; n < 30; n += 1)
      await client.get(`/api/${n}`, { call: 'x', parse, isOptional: true }).catch(() => {});
    expect(client.breakerState()).toBe('closed');
    expect(await client.get('/api/news', { call: 'x', parse })).toEqual([1]);
  });

  it.each([
    ['searches', 'post.search'],
    ['authors', 'author'],
    ['related posts', 'post.asidetopic'],
  ])('has a circuit breaker apart from that of %s', async (_of, call) => {
    const { client, getMany } = await upstream((request, response) =>
      json([1], request.url?.endsWith('/news') ? 200 : 502)(request, response),
    );
    await getMany(call);
    await expect(client.get('/api/term', { call, parse })).rejects.toMatchObject({ kind: 'breaker-open' });
    expect(client.breakerState()).toBe('closed');
    expect(await client.get('/api/news', { call: 'x', parse })).toEqual([1]);
  });

  it('of one thing, failing all the time on all its pages, opens no circuit breaker', async () => {
    const { client } = await upstream(json({}, 502));
    for (let page = 1; page <= 60; page += 1)
      await client.get(`/api/x?page=${page}`, { call: 'x', parse }).catch(() => {});
    expect(client.breakerState()).toBe('closed');
  });

  it('waits for the probe of another, so that all of a page is there when the upstream is back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = fakeClock();
    let isBack = false;
    const { get, getMany, requests } = await upstream(
      (request, response) => json([1], isBack ? 200 : 502)(request, response),
      { clock },
    );
    await getMany();
    clock.monotonicMs += 5_000;
    isBack = true;
    const optional = get();
    const primary = get(true);
    expect(await Promise.all([optional, primary, get()])).toEqual([[1], [1], [1]]);
    expect(requests).toHaveLength(23);
  });
});

describe('a write', () => {
  it('sends JSON with its idempotency key and returns any status', async () => {
    const bodies: string[] = [];
    const { client, requests } = await upstream((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => bodies.push(chunk));
      request.on('end', () => response.writeHead(404).end('already'));
    });
    const response = await client.post(
      '/api/subscribe/add',
      { email: 'a@b.example' },
      { call: 's', idempotencyKey: 'k1' },
    );
    expect(response).toEqual({ status: 404, isHtml: false });
    expect(bodies.join('')).toBe('{"email":"a@b.example"}');
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'k1',
    });
  });

  it.each([
    ['text/html; charset=utf-8', true],
    ['application/json', false],
    ['', false],
  ])('says of a 404 of the media type "%s" that it is a page: %s', async (type, isHtml) => {
    const { client } = await upstream((_request, response) => {
      if (type !== '') response.setHeader('content-type', type);
      response.writeHead(404).end('<h1>');
    });
    expect(await client.post('/x', {}, { call: 'x', idempotencyKey: 'k' })).toEqual({ status: 404, isHtml });
  });

  it('gives the status although the body never ends', async () => {
    const { client } = await upstream(drip);
    expect(await client.post('/x', {}, { call: 'x', idempotencyKey: 'k' })).toEqual({
      status: 200,
      isHtml: false,
    });
  });

  it('has no circuit breaker: what posts keeps it for later, and reads go on', async () => {
    const { client, requests } = await upstream((request, response) => {
      if (request.url?.endsWith('/views')) response.writeHead(500).end();
      else json([])(request, response);
    });
    for (let key = 0; key < 60; key++)
      expect(await client.post('/views', {}, { call: 'views', idempotencyKey: `k${key}` })).toEqual({
        status: 500,
        isHtml: false,
      });
    expect(requests).toHaveLength(60);
    expect(client.breakerState()).toBe('closed');
    expect(await client.get('/', { call: 'x', parse })).toEqual([]);
  });

  it('fails once, when its time ends', async () => {
    const { client, requests } = await upstream(() => {}, { timeoutMs: 300 });
    await expect(client.post('/x', {}, { call: 'x', idempotencyKey: 'k' })).rejects.toMatchObject({
      kind: 'timeout',
    });
    expect(requests).toHaveLength(1);
  });

  it('leaves room to reads, however many hang', async () => {
    const { client, requests } = await upstream(
      (request, response) => {
        if (request.method === 'GET') json([])(request, response);
      },
      { timeoutMs: 60_000 },
    );
    const post = () => client.post('/x', {}, { call: 'x', idempotencyKey: 'k' }).catch((error) => error.kind);
    const hanging = Array.from({ length: 76 }, post);
    expect(await client.get('/', { call: 'x', parse })).toEqual([]);
    await expect.poll(() => requests.length).toBe(17);
    expect(client.breakerState()).toBe('closed');
    await client.close();
    await Promise.all(hanging);
  });
});

it.each([
  [300, 500],
  [3_000, 500],
  [60_000, 10_000],
])('connects within a share of the deadline of %i ms, or half a second: %i ms', (deadline, wait) => {
  expect(connectTimeoutMs(deadline)).toBe(wait);
});
