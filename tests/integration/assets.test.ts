import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { expect, it } from 'vitest';
import { startSiteUnderTest } from './site-under-test.ts';

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
      const own = /src="(\/assets\/boot-[^"]+)"/.exec((await request(site.origin).get('/')).text)?.[1];
      await request(site.origin).get(String(own)).expect(200);
    } finally {
      await site.close();
    }
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
