import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

it('a file of the build before this one is still served after a deploy, compressed as it was', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    const earlier = join(dir, '0123456789abcdef');
    await mkdir(earlier, { recursive: true });
    await writeFile(join(earlier, 'old-page-Ab12Cd34.js'), 'export const old = true;');
    await writeFile(join(earlier, 'old-page-Ab12Cd34.js.br'), 'compressed');
    const site = await startSiteUnderTest({ ASSETS_DIR: dir });
    try {
      const { text } = await request(site.origin)
        .get('/assets/old-page-Ab12Cd34.js')
        .set('accept-encoding', 'identity')
        .buffer(true)
        .expect(200)
        .expect('cache-control', /immutable/);
      expect(text).toBe('export const old = true;');
      await request(site.origin).get('/assets/never-was.js').expect(404);
      const own = /src="(\/assets\/load-scripts-[^"]+)"/.exec(
        (await request(site.origin).get('/')).text,
      )?.[1];
      await request(site.origin).get(String(own)).expect(200);
    } finally {
      await site.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

describe('a condition or a range that a file does not meet', () => {
  let site: SiteUnderTest;
  let asset: string;

  beforeAll(async () => {
    site = await startSiteUnderTest();
    asset =
      /src="(\/assets\/load-scripts-[^"]+)"/.exec((await request(site.origin).get('/')).text)?.[1] ?? '';
  });
  afterAll(() => site.close());

  const expectProblem = (response: Response, status: number, title: string) => {
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(response.text)).toMatchObject({ type: 'about:blank', status, title });
  };

  it.each([
    ['if-match', '"another"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is a problem with its phrase: %s', async (name, value) => {
    for (const path of [asset, '/favicon.svg'])
      expectProblem(
        await request(site.origin).get(path).set(name, value).buffer(true),
        412,
        'Precondition Failed',
      );
  });

  it('is a problem that tells the length: a range past the end', async () => {
    for (const path of [asset, '/icon-192.png']) {
      const whole = await request(site.origin).get(path).set('accept-encoding', 'identity').buffer(true);
      const response = await request(site.origin)
        .get(path)
        .set({ 'accept-encoding': 'identity', range: 'bytes=99999999-' })
        .buffer(true);
      expectProblem(response, 416, 'Range Not Satisfiable');
      expect(response.headers['content-range']).toBe(`bytes */${whole.headers['content-length']}`);
    }
  });

  it('while one that it has is sent', async () => {
    const { headers } = await request(site.origin)
      .get(asset)
      .set({ 'accept-encoding': 'identity', range: 'bytes=0-9' })
      .expect(206);
    expect(headers['content-range']).toMatch(/^bytes 0-9\/\d+$/);
  });
});
