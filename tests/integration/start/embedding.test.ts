import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const HEADER = 'cross-origin-resource-policy';

let site: SiteUnderTest;
let picture: string;
let asset: string;

beforeAll(async () => {
  // Without `API_HOST` the embedded demo CMS is the upstream, and its pictures come from this origin.
  site = await startSiteUnderTest({ API_HOST: '', IMAGE_HOST: '' });
  const { text } = await request(site.origin).get('/');
  picture = /src="(\/media\/[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  asset = /href="(\/assets\/[^"]+\.css)"/.exec(text)?.[1] ?? '';
});
afterAll(() => site.close());

async function policiesOf(path: string): Promise<Record<string, unknown>> {
  const response = await request(site.origin).get(path).redirects(0);
  const etag = response.headers['etag'];
  const again = await request(site.origin)
    .get(path)
    .set('if-none-match', etag ?? '"none"')
    .redirects(0);
  if (response.status === 200 && etag !== undefined) expect([path, again.status]).toEqual([path, 304]);
  return { first: response.headers[HEADER], again: again.headers[HEADER] };
}

describe('other sites', () => {
  it('may embed pictures, feeds and icons, also those that they have already', async () => {
    const paths = [
      picture,
      '/feed.xml',
      '/feed.atom',
      '/feed.json',
      '/topic/news/feed.xml',
      '/topic/news/feed.atom',
      '/topic/news/feed.json',
      '/favicon.svg',
      '/apple-touch-icon.png',
      '/icon-192.png',
      '/icon-512.png',
      '/share.png',
      '/default-author.svg',
      '/team-lena-sorvik.svg',
    ];
    for (const path of paths)
      expect({ path, ...(await policiesOf(path)) }).toEqual({
        path,
        first: 'cross-origin',
        again: 'cross-origin',
      });
  });

  it('may embed nothing else', async () => {
    const paths = [
      '/',
      '/topic/news',
      '/api/home',
      '/api/openapi.json',
      '/sitemap.xml',
      '/robots.txt',
      '/manifest.webmanifest',
      '/none',
      '/api/none',
      '/healthz',
      asset,
    ];
    for (const path of paths)
      expect({ path, ...(await policiesOf(path)) }).toEqual({
        path,
        first: 'same-origin',
        again: 'same-origin',
      });
  });
});
