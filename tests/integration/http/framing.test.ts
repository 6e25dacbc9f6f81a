import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTERNAL_DETAILS } from '../internal-details.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { rawRequest, statusesOf } from './raw-request.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
  await request(site.origin).get('/about').expect(200);
});
afterAll(() => site.close());

const BODY = '{"email":"framed@example.com"}';
const NEXT = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const CHUNKS = chunked(BODY);
/** Body of a request that may be sent more than once. */
const VIEW = '{"postId":"1"}';

/** Front cache, Fastify, and the operators' listener: request line, and headers that a handler needs. */
const WAYS: Record<string, { line: string; on: () => string }> = {
  'the front cache': { line: 'GET /about', on: () => site.origin },
  'the front cache, HEAD': { line: 'HEAD /about', on: () => site.origin },
  Fastify: { line: 'GET /about?by=fastify', on: () => site.origin },
  'a form': { line: 'POST /api/subscriptions', on: () => site.origin },
  'the operators’ listener': { line: 'GET /cache', on: () => site.ops },
};
const HOST = 'Host: localhost\r\n';
const TYPE = 'Content-Type: application/json\r\n';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;

/** The rest of the request after a first line without its version, and the expected status (default 400). */
const MESSAGES: Record<string, { message: string; status?: RegExp }> = {
  ...Object.fromEntries(
    [
      'gzip',
      'identity',
      'chunked, identity',
      'xchunked',
      'chunkedx',
      '"chunked"',
      'chunked;q=1',
      ', chunked,',
    ].map((coding) => [
      `the transfer coding ${coding}`,
      {
        message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: ${coding}\r\n\r\n${CHUNKS}`,
      },
    ]),
  ),
  'a coding before chunked': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNKS}`,
  },
  'a coding in a line before chunked': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  'chunked twice': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  'an empty coding': { message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding:\r\n\r\n${CHUNKS}` },
  'a coding in HTTP/1.0': {
    message: ` HTTP/1.0\r\n${HOST}${TYPE}Transfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  'a folded coding': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding:\r\n chunked\r\n\r\n${CHUNKS}`,
  },
  'two lengths': { message: ` HTTP/1.1\r\n${HOST}${TYPE}${LENGTH}Content-Length: 0\r\n\r\n${BODY}` },
  'one length twice': { message: ` HTTP/1.1\r\n${HOST}${TYPE}${LENGTH}${LENGTH}\r\n${BODY}` },
  'two lengths in a line': { message: ` HTTP/1.1\r\n${HOST}${TYPE}Content-Length: 30, 30\r\n\r\n${BODY}` },
  'a length with a sign': { message: ` HTTP/1.1\r\n${HOST}${TYPE}Content-Length: +30\r\n\r\n${BODY}` },
  'a hexadecimal length': { message: ` HTTP/1.1\r\n${HOST}${TYPE}Content-Length: 0x1e\r\n\r\n${BODY}` },
  'an endless length': { message: ` HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n${BODY}` },
  'a length, then a coding': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  'a coding, then a length': {
    message: ` HTTP/1.1\r\n${HOST}${TYPE}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${CHUNKS}`,
  },
  'a bare line feed after the first line': { message: ` HTTP/1.1\n${HOST}\r\n` },
  'a bare line feed in the headers': { message: ` HTTP/1.1\r\n${HOST}X-A: 1\nX-B: 2\r\n\r\n` },
  'a bare line feed at the end': { message: ` HTTP/1.1\r\n${HOST}\n` },
  'a bare carriage return': { message: ` HTTP/1.1\r\n${HOST}X-A: 1\rX-B: 2\r\n\r\n` },
  'a folded line': { message: ` HTTP/1.1\r\n${HOST}X-A: 1\r\n folded\r\n\r\n` },
  'a space before a colon': { message: ` HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n${CHUNKS}` },
  'a NUL': { message: ` HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n` },
  'no Host': { message: ' HTTP/1.1\r\nX-A: 1\r\n\r\n' },
  'two Hosts': { message: ` HTTP/1.1\r\n${HOST}X-A: 1\r\nHOST: other.example\r\n\r\n` },
  'the same Host twice': { message: ` HTTP/1.1\r\n${HOST}${HOST}\r\n` },
  'two Hosts in HTTP/1.0': { message: ` HTTP/1.0\r\n${HOST}${HOST}\r\n` },
  ...Object.fromEntries(
    [
      '',
      'a b',
      'a, b',
      'a/b',
      'user@a',
      'http://a',
      'a:x',
      'a:99999',
      '[::1',
      'a\\b',
      'a?b',
      '<a>',
      '\xe4.example',
    ].map((host) => [`the Host ${JSON.stringify(host)}`, { message: ` HTTP/1.1\r\nHost: ${host}\r\n\r\n` }]),
  ),
  'an absolute target and two Hosts': { message: ` HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n` },
  'HTTP/2.0': { message: ` HTTP/2.0\r\n${HOST}\r\n` },
  'HTTP/0.9': { message: ` HTTP/0.9\r\n${HOST}\r\n` },
  'HTTP/1.2': { message: ` HTTP/1.2\r\n${HOST}\r\n` },
  'an expectation': {
    message: ` HTTP/1.1\r\n${HOST}Expect: a-miracle\r\n\r\n`,
    status: /^417$/,
  },
  'a coding that expects to go on': {
    message: ` HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nTransfer-Encoding: gzip\r\n\r\n`,
  },
};

describe.each(Object.entries(WAYS))('on the way to %s', (_way, { line, on }) => {
  it.each(Object.entries(MESSAGES))(
    '%s is refused once, what follows gets no response, and the connection ends',
    async (_what, { message, status = /^400$/ }) => {
      await site.forgetCalls();
      const response = await rawRequest(on(), line + message + NEXT);
      const statuses = statusesOf(response);
      expect(statuses).toHaveLength(1);
      expect(String(statuses[0])).toMatch(status);
      expect(response).toMatch(/^content-type: application\/problem\+json/m);
      expect(response).toMatch(/^connection: close\r$/m);
      expect(response).toMatch(/^x-content-type-options: nosniff\r$/m);
      expect(response).toMatch(/^x-request-id: [\w-]+\r$/m);
      expect(response).not.toMatch(INTERNAL_DETAILS);
      if (!line.startsWith('POST')) return;
      expect(Object.keys(await site.calls()).filter((call) => call.includes('subscribe'))).toEqual([]);
    },
  );
});

describe('an offer of another protocol', () => {
  const OFFERS = {
    h2c: 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    websocket:
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
  };

  it.each(
    Object.entries(WAYS).flatMap(([way, { line, on }]) =>
      Object.entries(OFFERS).map(([protocol, offer]) => [protocol, way, line, on, offer] as const),
    ),
  )('of %s is ignored by %s, and its response is the last', async (_protocol, _way, line, on, offer) => {
    const bytes = `${line} HTTP/1.1\r\n${HOST}${offer}\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`;
    const response = await rawRequest(on(), bytes);
    expect(statusesOf(response)).toEqual([line.startsWith('POST') ? 400 : 200]);
    expect(response).toMatch(/^connection: close\r$/im);
  });
});

describe('a message that HTTP allows', () => {
  const VIEW_LENGTH = `Content-Length: ${VIEW.length}\r\n`;
  const post = (headers: string, body: string) =>
    rawRequest(site.origin, `POST /api/views HTTP/1.1\r\n${HOST}${TYPE}${headers}\r\n${body}${NEXT}`);

  it.each([
    ['with a length', VIEW_LENGTH, VIEW],
    ['in chunks', 'Transfer-Encoding: chunked\r\n', chunked(VIEW)],
    ['in chunks, spelled otherwise', 'TRANSFER-ENCODING:\tChunked \r\n', chunked(VIEW)],
    [
      'in chunks with extensions and trailers',
      'Transfer-Encoding: chunked\r\n',
      chunked(VIEW)
        .replace('\r\n', ';a=b\r\n')
        .replace(/\r\n\r\n$/, '\r\nX-T: 1\r\n\r\n'),
    ],
  ])('%s is taken, and so is the next one', async (_what, headers, body) => {
    expect(statusesOf(await post(headers, body))).toEqual([202, 200]);
  });

  it('and waits to be told to go on is told so', async () => {
    expect(statusesOf(await post(`${VIEW_LENGTH}Expect: 100-continue\r\n`, VIEW))).toEqual([100, 202, 200]);
  });

  it.each(['/about', '/about?by=fastify'])('may be HTTP/1.0 without a Host: %s', async (path) => {
    expect(statusesOf(await rawRequest(site.origin, `GET ${path} HTTP/1.0\r\n\r\n`))).toEqual([200]);
  });

  it('may carry a body that means nothing', async () => {
    const head = `GET /about HTTP/1.1\r\n${HOST}`;
    const bodies = [`Content-Length: 3\r\n\r\nabc`, `Transfer-Encoding: chunked\r\n\r\n${chunked(VIEW)}`];
    for (const body of bodies)
      expect(statusesOf(await rawRequest(site.origin, head + body + NEXT))).toEqual([200, 200]);
  });

  it.each([
    ['/api/contact-messages', 'application/json', 400],
    ['/api/subscriptions', 'application/x-www-form-urlencoded', 400],
    ['/api/views', 'application/json', 400],
    ['/api/nothing', 'application/json', 404],
  ])('may name a media type and have no body: POST %s as %s', async (path, type, status) => {
    const head = `POST ${path} HTTP/1.1\r\n${HOST}Content-Type: ${type}\r\nConnection: close\r\n`;
    for (const length of ['', 'Content-Length: 0\r\n'])
      expect(statusesOf(await rawRequest(site.origin, `${head}${length}\r\n`))).toEqual([status]);
  });

  it('may be several at once', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
    const bytes = get('/about') + get('/about?by=fastify') + get('/about') + get('/api/nothing') + NEXT;
    expect(statusesOf(await rawRequest(site.origin, bytes))).toEqual([200, 200, 200, 404, 200]);
  });
});

it.each([
  // The deadline of upstream calls, 20 s here, a render's 10 s, and two more.
  ['readers', 32_000],
  ['operators', 10_000],
] as const)('no client may take its time: the server for %s', (who, timeout) => {
  expect(site.servers[who]).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 72_000,
    timeout,
    connectionsCheckingInterval: 2_000,
    httpValidation: 'strict',
  });
});
