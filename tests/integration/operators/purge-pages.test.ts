import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pages } from '#client/entry-server.tsx';
import { pagePaths } from '../../page-paths.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());

const reads = async () => Object.keys(await site.calls()).filter((call) => call.startsWith('GET /api/'));

it('every page with data of its own is purged by its path, and loaded again', async () => {
  const withoutData: string[] = [];
  for (const [name, path] of pagePaths(pages)) {
    await request(site.origin).get(path);
    await site.forgetCalls();
    const { body } = await request(site.ops)
      .post('/cache/purge')
      .send({ pages: [path] })
      .expect(200);
    await request(site.origin).get(path);
    const isLoaded = (await reads()).length > 0;
    expect(isLoaded, path).toBe(body.purged > 0);
    if (!isLoaded) withoutData.push(name);
  }
  expect(withoutData).not.toContain('sitemap');
  for (const name of ['home', 'tag', 'topic', 'article', 'events', 'event', 'search'])
    expect(withoutData).not.toContain(name);
});

it('the API call of the menus is purged by its path, and loads them again', async () => {
  const path = '/api/navigation';
  await request(site.origin).get(path).expect(200);
  await site.forgetCalls();
  const purged = request(site.ops)
    .post('/cache/purge')
    .send({ pages: [path] });
  expect((await purged.expect(200)).body).toMatchObject({ purged: 3, pages: 1 });
  await request(site.origin).get(path).expect(200);
  expect(await reads()).toHaveLength(3);
});
