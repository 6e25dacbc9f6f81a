import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDemoCms, startDemoCms } from '#demo/start.ts';
import { startProcess } from '../../faults/processes/server-process.ts';
import { startSiteUnderTest } from '../site-under-test.ts';
import { type ConnectProxy, startConnectProxy } from './connect-proxy.ts';

/** A name that only the proxy knows, and a certificate that only NODE_EXTRA_CA_CERTS makes trusted. */
const HOST = 'upstream.test';
const TLS = join(import.meta.dirname, '../../fixtures/tls');
const CERTIFICATE = join(TLS, `${HOST}.crt`);

let demoCms: RunningDemoCms;
let upstream: Server;
let proxy: ConnectProxy;
/** The values of `Authorization` that came to the upstream. */
const tokens = new Set<string | undefined>();

beforeAll(async () => {
  demoCms = await startDemoCms({ dataDir: null, faults: false });
  const [cert, key] = await Promise.all([readFile(CERTIFICATE), readFile(join(TLS, `${HOST}.key`))]);
  // TLS before the demo CMS.
  upstream = createServer({ cert, key }, (incoming, response) => {
    const { method, url, headers } = incoming;
    tokens.add(headers.authorization);
    const outgoing = forward(demoCms.origin + url, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  proxy = await startConnectProxy((upstream.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.close();
  upstream.closeAllConnections();
  upstream.close();
  await demoCms.close();
});
beforeEach(() => {
  tokens.clear();
  proxy.tunnels.length = 0;
  proxy.forwarded.length = 0;
});

async function check(env: Record<string, string>, address = `https://${HOST}/`) {
  const checking = startProcess(['tools/check-upstream.ts', address], env);
  return { code: await checking.ended, last: checking.log.at(-1) };
}

describe('an upstream behind a forward proxy', () => {
  it('is reached by CONNECT with HTTPS_PROXY, and trusted by NODE_EXTRA_CA_CERTS', async () => {
    const { code, last } = await check({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: CERTIFICATE });
    expect({ code, last }).toEqual({ code: 0, last: 'Every page can be made.' });
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
    expect(proxy.forwarded).toEqual([]);
  });

  it('is reached with a proxy that a file names, and by its token there', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'proxy-'));
    const [proxyFile, tokenFile] = [join(dir, 'proxy'), join(dir, 'token')];
    await Promise.all([writeFile(proxyFile, proxy.url), writeFile(tokenFile, 'Bearer of-a-file')]);
    const env = { HTTPS_PROXY_FILE: proxyFile, API_AUTHORIZATION_FILE: tokenFile };
    const { code } = await check({ ...env, NODE_EXTRA_CA_CERTS: CERTIFICATE });
    await rm(dir, { recursive: true });
    expect(code).toBe(0);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`${HOST}:443`]));
    expect(tokens).toEqual(new Set(['Bearer of-a-file']));
  });

  it('is not trusted without its certificate', async () => {
    expect((await check({ HTTPS_PROXY: proxy.url })).code).toBe(1);
    expect(proxy.tunnels.length).toBeGreaterThan(0);
  });

  it('is asked directly where NO_PROXY names it', async () => {
    const env = {
      HTTPS_PROXY: proxy.url,
      NO_PROXY: 'other.test, .upstream.test',
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    };
    expect((await check(env)).code).toBe(1);
    expect(proxy.tunnels).toEqual([]);
  });

  it('makes pages; an http one is asked through HTTP_PROXY', async () => {
    const site = await startSiteUnderTest(
      { HTTP_PROXY: proxy.url, API_HOST: 'http://plain.test', IMAGE_HOST: 'http://plain.test/media' },
      { demoCms: demoCms.origin },
    );
    await request(site.origin).get('/').expect(200);
    await site.close();
    expect(proxy.forwarded).toContain('http://plain.test/api/post/homelatest');
  });
});

it('loopback is never proxied', async () => {
  const { code } = await check({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }, demoCms.origin);
  expect(code).toBe(0);
  expect([...proxy.tunnels, ...proxy.forwarded]).toEqual([]);
});
