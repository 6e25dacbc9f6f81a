import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  type DrillProcess,
  type ServerProcess,
  startProcess,
  startServer,
  terminate,
} from '../../faults/processes/server-process.ts';
import { startFakeWordpress } from '../../fixtures/recorded-wordpress.ts';
import { freePort } from '../../free-port.ts';
import { startConnectProxy } from '../upstream/connect-proxy.ts';

const HOST = 'upstream.test';
const TLS = join(import.meta.dirname, '../../fixtures/tls');
const CERTIFICATE = join(TLS, `${HOST}.crt`);
const SLOW = { timeout: 30_000 };

const dir = mkdtempSync(join(tmpdir(), 'wordpress-start-'));
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function startWordpress(respond?: Parameters<typeof startFakeWordpress>[0]) {
  const wordpress = await startFakeWordpress(respond);
  opened.push(wordpress.close);
  return wordpress;
}

async function startSite(env: Record<string, string>): Promise<ServerProcess> {
  const site = await startServer({ env: { UPSTREAM_TIMEOUT_MS: '20000', ...env } });
  opened.push(() => terminate(site));
  return site;
}

/** Returns its home page. A server on a busy machine may shed it: whoever expects something in it asks again. */
const homeOf = async ({ origin }: ServerProcess) => (await fetch(origin)).text();

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that speaks TLS before a WordPress. */
async function startSecurePort(to: string): Promise<number> {
  const server = createHttpsServer(
    { cert: readFileSync(CERTIFICATE), key: readFileSync(join(TLS, `${HOST}.key`)) },
    ({ method, url, headers }, response) => {
      request(to + url, { method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(response);
      }).end();
    },
  );
  opened.push(() => server.closeAllConnections());
  return portOf(server);
}

/** What the site and the adapter alone print before they end with 1. */
async function linesOfFailedStart(wordpressUrl: string): Promise<string[]> {
  const alone = startProcess(['wordpress/wordpress.ts', wordpressUrl, '--port', '0'], {
    DATA_DIR: join(dir, 'alone'),
  });
  const site = await startServer({
    env: { WORDPRESS_URL: wordpressUrl, DATA_DIR: join(dir, 'site') },
    ready: false,
  });
  expect(await Promise.all([alone.ended, site.ended])).toEqual([1, 1]);
  expect(site.log).toEqual(alone.log);
  return site.log;
}

describe('a WordPress that cannot be read', () => {
  it('is one line at the start, and its end with 1: of the site, and of the adapter alone', async () => {
    const { url } = await startWordpress(() => ({ status: 200, headers: {}, body: '<h1>Shop' }));
    expect(await linesOfFailedStart(url)).toEqual([
      `WordPress at ${url}: there is no REST API of WordPress (status 200, no JSON)`,
    ]);
  });

  it('is one whose certificate is not trusted', async () => {
    const url = `https://127.0.0.1:${await startSecurePort((await startWordpress()).url)}`;
    expect(await linesOfFailedStart(url)).toEqual([
      `WordPress at ${url}: TLS fails (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    ]);
  });
});

describe('a WordPress that does not respond for now', () => {
  it('stops no start: readers get what is cached, and it is asked again with each page', async () => {
    const port = await freePort();
    const away = { WORDPRESS_URL: `http://127.0.0.1:${port}`, DATA_DIR: join(dir, 'away') };
    const early = await startSite(away);
    expect(early.log.join('\n')).toContain(`WordPress at ${away.WORDPRESS_URL}: no response (ECONNREFUSED)`);
    expect((await fetch(`${early.origin}/topic/news`)).status).toBe(503);
    const wordpress = await startWordpress();
    const DATA_DIR = join(dir, 'back');
    const first = await startSite({ WORDPRESS_URL: wordpress.url, DATA_DIR });
    await expect.poll(() => homeOf(first), SLOW).toContain('Every block');
    await terminate(first);
    await wordpress.close();
    const later = await startSite({ WORDPRESS_URL: wordpress.url, DATA_DIR });
    await expect.poll(() => homeOf(later), SLOW).toContain('Every block');
    expect(later.log.join('\n')).toContain('no response (ECONNREFUSED)');
  });
});

describe('the process of the adapter', () => {
  it('is started again after it ran out of memory, and readers are served meanwhile', async () => {
    /** More objects than its memory holds, within the bytes that are read of one response. */
    const body = `[${'[],'.repeat(5_000_000)}[]]`;
    const headers = { 'content-type': 'application/json', 'x-wp-total': '1', 'x-wp-totalpages': '1' };
    const started = Promise.withResolvers<void>();
    let isPoisoned = false;
    let isRead = false;
    const wordpress = await startWordpress((target) => {
      if (isPoisoned && target === '/') started.resolve();
      if (!isPoisoned || !target.includes('slug=poison')) return null;
      isRead = true;
      return { status: 200, headers, body };
    });
    const site = await startSite({ WORDPRESS_URL: wordpress.url, DATA_DIR: join(dir, 'crash') });
    await expect.poll(() => homeOf(site), SLOW).toContain('Every block');
    isPoisoned = true;
    const poison = async () => [(await fetch(`${site.origin}/news/poison`)).status, isRead];
    await expect.poll(poison, SLOW).toEqual([503, true]);
    await expect.poll(() => homeOf(site), SLOW).toContain('Every block');
    await started.promise;
    isPoisoned = false;
    expect(site.log.join('\n')).toContain('the adapter for WordPress ended: it is started again');
    const article = () => fetch(`${site.origin}/news/classic-post`).then(({ status }) => status);
    await expect.poll(article, SLOW).toBe(200);
  });
});

describe('a WordPress behind TLS', () => {
  it('is read over https where http redirects there on the same host', async () => {
    const wordpress = await startWordpress();
    const proxy = await startConnectProxy(await startSecurePort(wordpress.url));
    opened.push(proxy.close);
    // It is asked for whole URLs.
    const redirecting = createHttpServer(({ url = '' }, response) =>
      response.writeHead(301, { location: url.replace('http:', 'https:') }).end(),
    );
    const adapter: DrillProcess = startProcess(['wordpress/wordpress.ts', `http://${HOST}`, '--port', '0'], {
      DATA_DIR: join(dir, 'secure'),
      HTTP_PROXY: `http://127.0.0.1:${await portOf(redirecting)}`,
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    });
    opened.push(() => terminate(adapter));
    await vi.waitUntil(() => adapter.log.length > 0, SLOW);
    expect(adapter.log[0]).toMatch(/^API_HOST=/);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
  });

  it('is read by the site through the proxy that a file names, not through one whose variable is in small letters', async () => {
    const wordpress = await startWordpress();
    const proxy = await startConnectProxy(await startSecurePort(wordpress.url));
    opened.push(proxy.close);
    const file = join(dir, 'proxy');
    writeFileSync(file, proxy.url);
    await startSite({
      WORDPRESS_URL: `https://${HOST}`,
      DATA_DIR: join(dir, 'proxied'),
      HTTPS_PROXY_FILE: file,
      https_proxy: 'http://127.0.0.1:9',
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    });
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
  });
});

describe('API_AUTHORIZATION', () => {
  it('opens a WordPress behind a password to the site, with its pictures', async () => {
    const asked: string[] = [];
    const password = 'Basic ZWRpdG9yOnNlY3JldA==';
    const wordpress = await startWordpress((target, { headers }) => {
      if (headers.authorization !== password) return { status: 401, headers: {}, body: 'Who is there?' };
      asked.push(target);
      return null;
    });
    expect(await linesOfFailedStart(wordpress.url)).toEqual([
      `WordPress at ${wordpress.url}: its REST API is closed (status 401)`,
    ]);
    const site = await startSite({
      WORDPRESS_URL: wordpress.url,
      API_AUTHORIZATION: password,
      DATA_DIR: join(dir, 'password'),
    });
    await expect.poll(() => homeOf(site), SLOW).toContain('Every block');
    const [, picture = ''] = /src="(\/media\/site\/[^"]+)"/.exec(await homeOf(site)) ?? [];
    await (await fetch(site.origin + picture.replaceAll('&amp;', '&'))).arrayBuffer();
    expect(asked).toContainEqual(expect.stringMatching(/^\/wp-content\/uploads\//));
  });
});
