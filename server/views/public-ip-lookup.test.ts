import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { NO_PROXIES } from '#server/outgoing-requests.ts';
import { createIpLookup } from './public-ip.ts';

let server: Server;

async function startLookup(listener: RequestListener): Promise<ReturnType<typeof createIpLookup>> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return createIpLookup(`http://127.0.0.1:${port}/?format=json`, NO_PROXIES);
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
  vi.restoreAllMocks();
});

it('resolves with the JSON of the response', async () => {
  const { lookup } = await startLookup((_request, response) => response.end('{"ip":"93.184.216.34"}'));
  expect(await lookup()).toEqual({ ip: '93.184.216.34' });
});

it.each<[string, RequestListener]>([
  ['an error', (_request, response) => response.writeHead(500).end('{"ip":"93.184.216.34"}')],
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
  ['no JSON', (_request, response) => response.end('<html>')],
  ['more than 4 KiB', (_request, response) => response.end(`{"ip":"${'1'.repeat(5_000)}"}`)],
])('rejects a response with %s', async (_name, listener) => {
  const { lookup } = await startLookup(listener);
  await expect(lookup()).rejects.toThrow();
});

it('rejects when no response comes within the timeout', async () => {
  const { lookup } = await startLookup(() => undefined);
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const looking = lookup();
  timeout.abort();
  await expect(looking).rejects.toThrow();
});

it('ends its connection when it is closed', async () => {
  const ended = Promise.withResolvers<void>();
  const { lookup, close } = await startLookup((request, response) => {
    request.socket.once('close', ended.resolve);
    response.end('{"ip":"93.184.216.34"}');
  });
  // Longer than the test: neither side would end it.
  server.keepAliveTimeout = 600_000;
  await lookup();
  await close();
  await close();
  await ended.promise;
});
