import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Message } from '#server/outbox/message-types.ts';
import { NO_PROXIES } from '#server/outgoing-requests.ts';
import { sendToNewsletter } from './newsletter.ts';

let server: Server;
let status = 200;
let seen: unknown[];
beforeEach(async () => {
  seen = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization, 'idempotency-key': key } = request.headers;
    seen.push([request.method, request.url, authorization, key, JSON.parse(body)]);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

const MESSAGE: Message = {
  id: 'key',
  kind: 'subscription',
  payload: { email: 'a@b.example' },
  createdAt: 0,
  traceparent: null,
};

function deliverer(url: string | null, authorization: string | null = 'Bearer token') {
  const options = { url: () => url, authorization, timeoutMs: 5_000, proxies: NO_PROXIES };
  return sendToNewsletter(async () => ({ status: 299, isHtml: false }), options);
}

function address(): string {
  const own = server.address();
  return typeof own === 'object' && own ? `http://127.0.0.1:${own.port}/add?list=1` : '';
}

it('posts a subscription to the provider, with the token', async () => {
  status = 201;
  expect(await deliverer(address())(MESSAGE)).toMatchObject({ status: 201 });
  expect(seen).toEqual([['POST', '/add?list=1', 'Bearer token', 'key', { email: 'a@b.example' }]]);
});

it.each([
  [409, 404],
  [404, 502],
  [503, 503],
])('a status of %d means %d', async (given, meant) => {
  status = given;
  expect(await deliverer(address())(MESSAGE)).toMatchObject({ status: meant });
});

it('leaves everything else to the upstream, and subscriptions without an address too', async () => {
  expect(await deliverer(address())({ ...MESSAGE, kind: 'contact' })).toEqual({ status: 299, isHtml: false });
  expect(await deliverer(null)(MESSAGE)).toEqual({ status: 299, isHtml: false });
  expect(seen).toEqual([]);
});
