import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createIpLookup } from './ip-lookup.ts';

let server: Server;

async function lookupOf(answer: RequestListener, deadlineMs?: number): Promise<() => Promise<unknown>> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return createIpLookup(`http://127.0.0.1:${port}/?format=json`, deadlineMs);
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('gives what the service answers', async () => {
  const lookup = await lookupOf((_request, response) => response.end('{"ip":"93.184.216.34"}'));
  expect(await lookup()).toEqual({ ip: '93.184.216.34' });
});

it.each<[string, RequestListener]>([
  ['an error', (_request, response) => response.writeHead(500).end('{"ip":"93.184.216.34"}')],
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
  ['no JSON', (_request, response) => response.end('<html>')],
  ['more than 4 KiB', (_request, response) => response.end(`{"ip":"${'1'.repeat(5_000)}"}`)],
])('rejects when the service answers %s', async (_name, answer) => {
  const lookup = await lookupOf(answer);
  await expect(lookup()).rejects.toThrow();
});

it('rejects when the service is silent past the deadline', async () => {
  const lookup = await lookupOf(() => undefined, 50);
  await expect(lookup()).rejects.toThrow();
});
