import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest, statusesOf } from '../http/raw-request.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const siteFolder = mkdtempSync(join(tmpdir(), 'site-'));
let site: SiteUnderTest;

beforeAll(async () => {
  mkdirSync(join(siteFolder, 'root'));
  writeFileSync(join(siteFolder, 'root', 'favicon.ico'), 'of the publisher');
  site = await startSiteUnderTest({ SITE_DIR: siteFolder }, { development: true });
});

afterAll(async () => {
  await site.close();
  rmSync(siteFolder, { recursive: true });
});

it('in development pages are rendered from the sources and hydrated by Vite’s modules', async () => {
  const page = await fetch(site.origin);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('Other Publications');
  const scripts = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => String(src));
  expect(scripts).toContain('/client/entry-client.tsx');
  for (const src of scripts) {
    const script = await fetch(site.origin + src);
    expect(script.headers.get('content-type'), src).toMatch(/javascript/);
  }
});

it('in development a file of the site folder takes the place of the built-in one, which Vite serves', async () => {
  expect(await (await fetch(`${site.origin}/favicon.ico`)).text()).toBe('of the publisher');
});

it.each([
  '/@fs/etc/passwd',
  '/@fs/etc/passwd?raw',
  '/@fs/etc/passwd?import&raw??',
  '/@fs//etc/passwd',
  '/..%2f..%2f..%2fetc%2fpasswd',
  '/../../../etc/passwd',
  '/client/../../../etc/passwd',
  '/client/%252e%252e/%252e%252e/etc/passwd',
  '/@fs/work/..%5c..%5cetc/passwd',
  'http://127.0.0.1:1/@fs/etc/passwd?raw',
  '//127.0.0.1:1/etc/passwd',
])('in development nothing outside of the project is served: %s', async (target) => {
  const response = await rawRequest(
    site.origin,
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  const [status, ...more] = statusesOf(response);
  expect([400, 403, 404]).toContain(status);
  expect(more).toEqual([]);
  expect(response).not.toMatch(/root:/);
});
