import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

describe('with ASSETS_DIR', () => {
  let dir: string;
  let site: SiteUnderTest;

  const addFile = async (file: string) => {
    await writeFile(join(dir, 'files', file), 'export const other = true;');
    await writeFile(join(dir, 'files', `${file}.br`), 'compressed');
  };
  const get = (path: string) =>
    request(site.origin).get(path).set('accept-encoding', 'identity').buffer(true);

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'deploy-'));
    await mkdir(join(dir, 'files'));
    await writeFile(join(dir, 'private.txt'), 'not one of ours');
    await addFile('old-page-Ab12Cd34.js');
    site = await startSiteUnderTest({ ASSETS_DIR: dir });
  });
  afterAll(async () => {
    await site.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('a file of the build before this one is still served after a deploy, compressed as it was', async () => {
    const { text } = await get('/assets/old-page-Ab12Cd34.js')
      .expect(200)
      .expect('cache-control', /immutable/)
      .expect('content-type', /javascript/);
    expect(text).toBe('export const other = true;');
    const { headers } = await request(site.origin)
      .head('/assets/old-page-Ab12Cd34.js')
      .set('accept-encoding', 'br')
      .expect(200);
    expect(headers['content-encoding']).toBe('br');
    const own = /src="(\/assets\/load-scripts-[^"]+)"/.exec((await get('/')).text)?.[1];
    await get(String(own)).expect(200);
  });

  it('a file of a build that is deployed while this one runs is served as soon as it is stored', async () => {
    await get('/assets/new-page-Ef56Gh78.js').expect(404);
    await addFile('new-page-Ef56Gh78.js');
    await get('/assets/new-page-Ef56Gh78.js')
      .expect(200)
      .expect('cache-control', /immutable/);
  });

  it.each([
    ['/assets/never-was.js', 404],
    ['/assets/private.txt', 404],
    ['/assets/files/old-page-Ab12Cd34.js', 404],
    ['/assets/old/old-page-Ab12Cd34.js', 404],
    ['/assets/..%2fold-page-Ab12Cd34.js', 400],
    ['/assets/%6Fld-page-Ab12Cd34.js', 308],
  ])('%s is no file, and nobody keeps that', async (path, expected) => {
    const { status, headers } = await get(path);
    expect(status).toBe(expected);
    expect(headers['cache-control']).not.toMatch(/immutable|max-age=[1-9]/);
  });
});

describe('a condition or a range of a file', () => {
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

  it('is met by its strong ETag, of which each encoding has its own', async () => {
    for (const path of [asset, '/favicon.ico']) {
      const tags = new Set<string>();
      for (const encoding of ['identity', 'br']) {
        const ask = () => request(site.origin).get(path).set('accept-encoding', encoding).buffer(true);
        const { headers } = await ask().expect(200);
        const tag = String(headers['etag']);
        expect(tag).toMatch(/^"[^"]+"$/);
        tags.add(`${headers['content-encoding']} ${tag}`);
        const unmodified = await ask().set('if-none-match', `"other", W/${tag}`).expect(304);
        expect(unmodified.headers['etag']).toBe(tag);
        await ask().set('if-match', tag).expect(200);
      }
      expect(new Set([...tags].map((tag) => tag.split(' ')[1])).size).toBe(tags.size);
    }
  });

  it.each([
    ['if-match', '"another"'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('is a problem with its phrase where it is not met: %s', async (name, value) => {
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

  it('and the whole file where If-Range has another ETag or a weak one (RFC 9110, 13.1.5)', async () => {
    for (const path of [asset, '/icon-192.png']) {
      const get = (headers: Record<string, string> = {}) =>
        request(site.origin)
          .get(path)
          .set({ 'accept-encoding': 'identity', range: 'bytes=0-9', ...headers });
      const { etag = '' } = (await get()).headers;
      await get({ 'if-range': etag }).expect(206);
      for (const other of ['"other"', `W/${etag}`]) await get({ 'if-range': other }).expect(200);
    }
  });
});
