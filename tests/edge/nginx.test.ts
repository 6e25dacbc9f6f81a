import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { startSiteUnderTest } from '../integration/site-under-test.ts';
import { startNginx } from './nginx.ts';
import { ask, type SharedCacheCases, testSharedCache, testSiteOutage } from './shared-cache.ts';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/nginx/nginx.conf');

const NGINX: SharedCacheCases = {
  start: startNginx,
  env: () => ({}),
  hit: 'nginx; hit',
  // One copy, which it unpacks for who cannot read it.
  encodings: [
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', undefined],
    ['br, gzip;q=0', undefined],
  ],
  configuration: readFileSync(CONFIGURATION, 'utf8'),
};

// The test makes the folders of the cache and of the temporary files, which only root may.
it.runIf(process.getuid?.() === 0)(
  'the file is a whole configuration that Debian’s nginx takes as it is',
  () => {
    const { status, stderr } = spawnSync('nginx', ['-t', '-c', CONFIGURATION], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  },
);

testSharedCache(NGINX);

it('while the site is down, serves what it has to whoever comes, and says that the site is not ready', () =>
  testSiteOutage(NGINX));

it('counts the views of articles, which it has only for when the site is down', async () => {
  const port = await freePort();
  const site = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1' });
  const nginx = await startNginx(port, Number(new URL(site.origin).port));
  try {
    const { top } = await (await fetch(`${site.origin}/api/home`)).json();
    const path = `/${top[0].category}/${top[0].slug}`;
    for (const _ of [1, 2]) {
      const { status, isHit } = await ask(nginx, path, { hit: NGINX.hit });
      expect([status, isHit]).toEqual([200, false]);
    }
    const views = async () =>
      Object.entries(await site.calls()).reduce(
        (sum, [call, times]) => (call.includes('/post_count/') ? sum + times : sum),
        0,
      );
    await expect.poll(views).toBe(2);
    await site.close();
    expect((await ask(nginx, path, { hit: NGINX.hit })).status).toBe(200);
  } finally {
    await nginx.stop();
  }
});

it('serves pages whose policy allows all hosts of an advertisement network', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'site-folder-'));
  const hosts = Array.from({ length: 100 }, (_, index) => `https://pixels-${index}.advertisements.example`);
  writeFileSync(
    join(dir, 'csp.json'),
    JSON.stringify({ 'script-src': hosts, 'connect-src': hosts, 'img-src': hosts }),
  );
  const port = await freePort();
  const site = await startSiteUnderTest({ SITE_DIR: dir });
  const nginx = await startNginx(port, Number(new URL(site.origin).port));
  try {
    const { status, headers } = await ask(nginx, '/about', { hit: NGINX.hit });
    expect([status, String(headers['content-security-policy']).length > 10_000]).toEqual([200, true]);
  } finally {
    await nginx.stop();
    await site.close();
    rmSync(dir, { recursive: true });
  }
});

it('keeps files in the encodings of clients, brotli among them', async () => {
  const port = await freePort();
  const site = await startSiteUnderTest({});
  const nginx = await startNginx(port, Number(new URL(site.origin).port));
  try {
    const asset = /href="(\/assets\/[^"]+\.css)"/.exec(await (await fetch(site.origin)).text())?.[1] ?? '';
    for (const [accepts, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      await ask(nginx, asset, { hit: NGINX.hit, headers: { 'accept-encoding': accepts } });
      const { headers, isHit } = await ask(nginx, asset, {
        hit: NGINX.hit,
        headers: { 'accept-encoding': accepts },
      });
      expect([accepts, headers['content-encoding'], isHit]).toEqual([accepts, encoding, true]);
    }
  } finally {
    await nginx.stop();
    await site.close();
  }
});
