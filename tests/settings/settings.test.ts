import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type DemoCms, startDemoCmsProcess } from '../faults/processes/demo-cms-process.ts';
import { killHard, type ServerProcess, startServer, terminate } from '../faults/processes/server-process.ts';
import { type FakeWordpress, startFakeWordpress } from '../fixtures/recorded-wordpress.ts';
import { oneInThree } from '../matrix.ts';
import { type RedisServer, startRedis } from '../redis/redis-server.ts';
import { pairsOf, type Row } from './covering-array.ts';
import {
  configurations,
  environmentOf,
  OPS_PURGE_TOKEN,
  OPS_TOKEN,
  ORIGIN_SECRET,
  PARAMETERS,
  type Services,
} from './settings.ts';

const Article = z.object({ article: z.object({ id: z.string() }) });

/** An article with pictures in its body: of the demo CMS, and of the recorded WordPress. */
const articleOf = (row: Row) =>
  row['upstream'] === 'WORDPRESS_URL' ? '/featured/every-block' : '/featured/forty-thousand-agent-decisions';

let dir: string;
let demoCms: DemoCms;
let redis: RedisServer;
let wordpress: FakeWordpress;
const servers: Server[] = [];
let picture: Buffer;
let services: Services;

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const respondWith = (type: string, body: () => string | Buffer) =>
  createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': type }).end(body()));
  });

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'settings-'));
  picture = await sharp({ create: { width: 1200, height: 675, channels: 3, background: '#678' } })
    .jpeg()
    .toBuffer();
  [demoCms, redis, wordpress] = await Promise.all([
    startDemoCmsProcess(join(dir, 'demo-cms')),
    startRedis(),
    startFakeWordpress((target) =>
      target.includes('/wp-content/')
        ? { status: 200, headers: { 'content-type': 'image/jpeg' }, body: picture }
        : null,
    ),
  ]);
  services = {
    api: demoCms.origin,
    redis: redis.url,
    wordpress: wordpress.url,
    pictures: await listen(respondWith('image/jpeg', () => picture)),
    purges: await listen(respondWith('application/json', () => '{}')),
    traces: await listen(respondWith('application/json', () => '{}')),
    dir,
  };
});

afterAll(async () => {
  await Promise.all([demoCms?.leave(), redis?.stop(), wordpress?.close()]);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(dir, { recursive: true, force: true });
});

/**
 * Sends a request as the CDN would, which knows the secret, for a reader who has a public address. A server on a busy machine
 * may shed it: sends it again when the server says.
 */
async function send(url: string, init: RequestInit = {}, triesLeft = 5): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-origin-secret', ORIGIN_SECRET);
  headers.set('x-forwarded-for', '203.0.113.7');
  headers.set('cf-connecting-ip', '203.0.113.7');
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  if (response.status !== 503 || triesLeft === 0) return response;
  await pause(Number(response.headers.get('retry-after')) * 1000);
  return send(url, init, triesLeft - 1);
}

/** Returns the attributes of all elements of a name in a document. */
function elementsOf(html: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ChildNode): void => {
    if (!('childNodes' in node)) return;
    if (node.tagName === name)
      found.push(Object.fromEntries(node.attrs.map((attribute) => [attribute.name, attribute.value])));
    node.childNodes.forEach(visit);
  };
  parse(html).childNodes.forEach(visit);
  return found;
}

async function expectPages({ origin }: ServerProcess, row: Row): Promise<void> {
  for (const path of [
    '/',
    '/topic/news',
    '/tag/customer-data',
    '/events',
    '/search/all/consent',
    '/contact-us',
  ]) {
    const response = await send(origin + path);
    expect(response.status, path).toBe(200);
    expect(await response.text(), path).toContain('</html>');
  }
  expect((await send(`${origin}/no-such-page`)).status).toBe(404);
  const refused = await fetch(`${origin}/`, { redirect: 'manual' });
  expect(refused.status).toBe(row['ORIGIN_SECRET'] === 'set' ? 403 : 200);
}

/**
 * Returns the addresses of one picture of each class, folder and width. A page shows dozens from one folder: with all of
 * them most of a server's time went into their conversion.
 */
function picturesOf(html: string): string[] {
  const kinds = elementsOf(html, 'img').map(({ class: name = '', src = '' }): [string, string] => [
    name + src.replace(/[^/?]+(?=$|\?)/, ''),
    src,
  ]);
  return [...new Map(kinds).values()];
}

/** The article has its markup: a body that was reduced to text has none. Its pictures are there, in the body too. */
async function expectArticle({ origin }: ServerProcess, path: string): Promise<void> {
  const response = await send(origin + path);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(elementsOf(html, 'h2').length).toBeGreaterThan(2);
  expect(elementsOf(html, 'figcaption').length).toBeGreaterThan(0);
  const pictures = picturesOf(html);
  expect(pictures.length).toBeGreaterThan(2);
  for (const src of pictures) {
    // Of the recorded author, from another host: there is no network.
    if (src.includes('gravatar.com')) continue;
    const pictureResponse = await send(new URL(src, origin).href);
    expect(pictureResponse.status, src).toBe(200);
    expect(pictureResponse.headers.get('content-type'), src).toMatch(/^image\//);
    await pictureResponse.arrayBuffer();
  }
  // A page that lacked an optional section on a busy machine is built again, and then stays as it is.
  let etag = response.headers.get('etag');
  await vi.waitFor(async () => {
    const again = await send(origin + path, { headers: { 'if-none-match': String(etag) } });
    await again.arrayBuffer();
    etag = again.headers.get('etag');
    expect(again.status).toBe(304);
  }, 20_000);
}

async function expectData({ origin }: ServerProcess, article: string): Promise<void> {
  for (const path of ['/api/home', '/api/navigation', `/api/articles${article}`, '/api/openapi.json'])
    expect((await send(origin + path)).status, path).toBe(200);
  for (const path of [
    '/feed.xml',
    '/feed.json',
    '/topic/news/feed.xml',
    '/sitemap.xml',
    '/robots.txt',
    '/healthz',
  ])
    expect((await send(origin + path)).status, path).toBe(200);
}

/** A message of another sender in each configuration: repeats of one are the same message. */
async function expectForms({ origin }: ServerProcess, email: string, path: string): Promise<void> {
  const { article } = Article.parse(await (await send(`${origin}/api/articles${path}`)).json());
  const fields = { firstName: 'Ada', lastName: 'Quill', email, phone: '+1 202-555-0142', optIn: true };
  const post = (path: string, body: object) =>
    send(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('/api/contact-messages', { ...fields, message: 'Hello' })).status).toBe(201);
  expect((await post('/api/opt-outs', { ...fields, message: '' })).status).toBe(201);
  expect((await post('/api/subscriptions', { email })).status).toBe(201);
  expect((await post('/api/subscriptions', { email: 'nobody' })).status).toBe(400);
  expect((await post('/api/views', { postId: article.id })).status).toBe(202);
}

async function expectOperators({ ops }: ServerProcess, row: Row): Promise<void> {
  const authorization = { authorization: `Bearer ${OPS_TOKEN}` };
  if (row['OPS_PORT'] === 'closed') {
    await expect(fetch(ops)).rejects.toThrow();
    return;
  }
  expect((await fetch(`${ops}/metrics`)).status).toBe(row['OPS_TOKEN'] === 'unset' ? 200 : 401);
  for (const path of [
    '/metrics',
    '/cache',
    '/cache/policies',
    '/outbox',
    `/cache/explain?url=${articleOf(row)}`,
  ])
    expect((await fetch(ops + path, { headers: authorization })).status, path).toBe(200);
  const purges = row['OPS_TOKEN'] === 'and OPS_PURGE_TOKEN';
  const purge = await fetch(`${ops}/cache/purge`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${purges ? OPS_PURGE_TOKEN : OPS_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ tags: ['article'] }),
  });
  expect(purge.status).toBe(200);
  if (!purges) return;
  const read = await fetch(`${ops}/cache`, { headers: { authorization: `Bearer ${OPS_PURGE_TOKEN}` } });
  expect(read.status).toBe(403);
}

/** What the test did itself, and what a busy machine does: nothing waits long for Redis, an optional section, or the look-up of an address. */
const EXPECTED = /operator change|Redis is not available|optional section left out|public IP lookup failed/;

/** Returns the lines of a log that an operator would look at. */
function linesToLookAt(log: readonly string[]): string[] {
  return log.filter((line) => {
    if (EXPECTED.test(line)) return false;
    if (!line.startsWith('{')) return /\b(WARN|ERROR|FATAL)\b|Warning:/.test(line);
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null && 'level' in parsed && Number(parsed.level) >= 40;
  });
}

const chosen = configurations();

describe('the configurations', () => {
  it('hold every pair of settings that the contract allows', () => {
    const missing = pairsOf(PARAMETERS).filter(
      ({ first, second }) =>
        !chosen.some(({ row }) => row[first[0]] === first[1] && row[second[0]] === second[1]),
    );
    expect(missing).toEqual([
      { first: ['upstream', 'WORDPRESS_URL'], second: ['IMAGE_HOST', 'without a path'] },
      { first: ['upstream', 'WORDPRESS_URL'], second: ['IMAGE_HOST', 'with a path'] },
      { first: ['OPS_HOST', 'all'], second: ['OPS_TOKEN', 'unset'] },
    ]);
  });
});

describe('a server', () => {
  it.each(oneInThree(chosen).map((one, index) => ({ ...one, index })))(
    'with $name serves everything, has nothing to complain of, and ends with 0',
    async ({ row, index }) => {
      const own = join(dir, String(index));
      await mkdir(own);
      const server = await startServer({
        env: {
          API_HOST: '',
          LOG_LEVEL: 'info',
          // The default is short enough to leave out a section of a page on a busy machine.
          UPSTREAM_TIMEOUT_MS: '20000',
          RATE_LIMIT_READ: '1200',
          RATE_LIMIT_WRITE: '20',
          RATE_LIMIT_BEACON: '600',
          DATA_DIR: join(own, 'data'),
          ...environmentOf(row, { ...services, dir: own }),
        },
      });
      onTestFinished(() => killHard(server));
      await expectPages(server, row);
      await expectArticle(server, articleOf(row));
      await expectData(server, articleOf(row));
      await expectForms(server, `reader-${index}@example.com`, articleOf(row));
      await expectOperators(server, row);
      const { code } = await terminate(server);
      expect(linesToLookAt(server.log)).toEqual([]);
      expect(code).toBe(0);
    },
  );
});
