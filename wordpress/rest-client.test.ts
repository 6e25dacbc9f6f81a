import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeWordpress, recorded, startFakeWordpress } from '../tests/fixtures/recorded-wordpress.ts';
import { createRestClient } from './rest-client.ts';

const TIMEOUT_MS = 20_000;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function start(
  respond?: Parameters<typeof startFakeWordpress>[0],
  {
    authorization = null,
    timeoutMs = TIMEOUT_MS,
  }: { authorization?: string | null; timeoutMs?: number } = {},
) {
  const wordpress: FakeWordpress = await startFakeWordpress(respond);
  const client = createRestClient(authorization, timeoutMs);
  opened.push(wordpress, client);
  return {
    wordpress,
    get: (path: string, query = {}) => client.get(`${wordpress.url}/wp-json/`, path, query),
  };
}

const list = (body: unknown[]) => ({
  status: 200,
  headers: { 'x-wp-total': '45', 'x-wp-totalpages': '5' },
  body,
});

describe('createRestClient', () => {
  it('returns a list with WordPress’s own totals', async () => {
    const { get } = await start();
    const { body, total, totalPages } = await get('wp/v2/categories', { per_page: 100 });
    expect([Array.isArray(body), total, totalPages]).toEqual([true, 12, 1]);
  });

  it('reads what has a mark of byte order', async () => {
    const { get } = await start(() => ({ status: 200, headers: {}, body: '\uFEFF{"id":1}' }));
    expect((await get('wp/v2/posts/1')).body).toEqual({ id: 1 });
  });

  it('asks once more where the connection ends before the response, as one that was kept for long may', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (asked === 2 || asked > 3) request.socket.destroy();
      else response.end('[]');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : address;
    const client = createRestClient(null, TIMEOUT_MS);
    opened.push({ close: async () => void server.close() }, client);
    const get = (page: number) => client.get(`http://127.0.0.1:${port}/wp-json/`, 'wp/v2/posts', { page });
    await get(1);
    expect((await get(2)).body).toEqual([]);
    await expect(get(3)).rejects.toMatchObject({ message: 'no response (UND_ERR_SOCKET)' });
    expect(asked).toBe(5);
  });

  it('has at most six requests under way', async () => {
    let underWay = 0;
    let most = 0;
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { get } = await start(async () => {
      most = Math.max(most, ++underWay);
      if (underWay === 6) arrived.resolve();
      await released.promise;
      underWay -= 1;
      return list([]);
    });
    const asked = Array.from({ length: 20 }, (_, page) => get('wp/v2/posts', { page }));
    await arrived.promise;
    released.resolve();
    await Promise.all(asked);
    expect(most).toBe(6);
  });

  it('shares a request with the same calls that come at once, and with no later one', async () => {
    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { wordpress, get } = await start(async () => {
      sent.resolve();
      await released.promise;
      return list([]);
    });
    const early = [get('wp/v2/posts'), get('wp/v2/posts')];
    await sent.promise;
    const late = get('wp/v2/posts');
    released.resolve();
    await Promise.all([...early, late]);
    expect(wordpress.requests).toHaveLength(2);
  });

  it('asks with an ETag that it was given, and takes 304 for the same list', async () => {
    const { wordpress, get } = await start((_target, { headers }) =>
      headers['if-none-match'] === '"a"'
        ? { status: 304, headers: {}, body: '' }
        : { ...list([{ id: 1 }]), headers: { etag: '"a"', 'x-wp-total': '1', 'x-wp-totalpages': '1' } },
    );
    const first = await get('wp/v2/posts');
    expect(await get('wp/v2/posts')).toEqual(first);
    expect(wordpress.requests).toHaveLength(2);
  });

  it.each([
    ['maintenance', recorded('maintenance'), 'status 503, no JSON'],
    [
      'a fatal error with 200',
      { status: 200, headers: {}, body: '<p>There has been a critical error.' },
      'status 200, no JSON',
    ],
    ['a closed REST API', recorded('closedRest'), 'its REST API is closed (status 401)'],
    [
      'a redirect to another host',
      { status: 301, headers: { location: 'https://www.example.com/' }, body: '' },
      'it redirects to another host, https://www.example.com',
    ],
  ])('takes %s for a failure', async (_name, response, message) => {
    const { get } = await start(() => response);
    await expect(get('wp/v2/posts')).rejects.toMatchObject({ name: 'WordpressFailed', message });
  });

  it('takes a response of 10 MB, and none that would not fit into memory', async () => {
    let size = 10_000_000;
    const { get } = await start(() => list(['x'.repeat(size)]));
    expect((await get('wp/v2/posts')).body).toEqual(['x'.repeat(size)]);
    size = 20_000_000;
    await expect(get('wp/v2/posts')).rejects.toMatchObject({
      message: 'no response (UND_ERR_RES_EXCEEDED_MAX_SIZE)',
    });
  });

  it('gives up what takes too long, and what nobody listens to', async () => {
    const never = Promise.withResolvers<null>();
    const { get } = await start(() => never.promise, { timeoutMs: 50 });
    await expect(get('wp/v2/posts')).rejects.toMatchObject({ message: 'no response within 50 ms' });
    never.resolve(null);
    const gone = await startFakeWordpress();
    await gone.close();
    const client = createRestClient(null, TIMEOUT_MS);
    opened.push(client);
    await expect(client.get(`${gone.url}/wp-json/`, 'wp/v2/posts', {})).rejects.toMatchObject({
      message: 'no response (ECONNREFUSED)',
    });
  });

  it('sends its authorization, and asks a root that is a parameter', async () => {
    let authorization: string | undefined;
    const wordpress = await startFakeWordpress((_target, { headers }) => {
      ({ authorization } = headers);
      return list([]);
    });
    const client = createRestClient('Basic abc', TIMEOUT_MS);
    opened.push(wordpress, client);
    await client.get(`${wordpress.url}/index.php?rest_route=/`, 'wp/v2/posts', { page: 2 });
    expect(authorization).toBe('Basic abc');
    expect(wordpress.requests).toEqual(['/index.php?rest_route=/wp/v2/posts&page=2']);
  });
});
