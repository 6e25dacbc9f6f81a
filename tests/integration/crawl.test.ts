import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

/** Pages that only a redirect or a reader's own words lead to. */
const WITHOUT_A_LINK = ['/no-posts', '/404', '/search/'];

function linksOf(html: string): string[] {
  const links = [...html.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)].map(([, href]) =>
    String(href).replaceAll('&amp;', '&'),
  );
  return links.filter((href) => href.startsWith('/')).map((href) => href.split('#', 1)[0] ?? '/');
}

it('every link of the site leads somewhere, and every kind of page is reached from another', async () => {
  const seen = new Set(['/']);
  const queue = ['/'];
  const broken: string[] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const response = await fetch(site.origin + path, { redirect: 'manual' });
    // A sub-category without posts in a topic leads to the page that says so.
    const isEmptyTopic = response.status === 302 && response.headers.get('location') === '/no-posts';
    if (response.status !== 200 && !isEmptyTopic) broken.push(`${path}: ${response.status}`);
    const text = await response.text();
    if (!response.headers.get('content-type')?.includes('text/html')) continue;
    for (const link of linksOf(text)) {
      if (seen.has(link) || link.startsWith('/media/')) continue;
      seen.add(link);
      queue.push(link);
    }
  }
  expect(broken).toEqual([]);
  const pages = [...seen];
  for (const kind of [
    /^\/topic\/[^/]+$/,
    /^\/topic\/[^/]+\/[^/]+$/,
    /^\/topic\/.+\?page=2$/,
    /^\/tag\//,
    /^\/events$/,
    /^\/events\?tab=past/,
    /^\/events\/[^/]+$/,
  ]) {
    expect(
      pages.some((path) => kind.test(path)),
      String(kind),
    ).toBe(true);
  }
  for (const path of [
    '/about',
    '/privacy-policy',
    '/opt-out-form',
    '/contact-us',
    '/sitemap',
    '/subscribe',
    '/topic/news/feed.xml',
  ]) {
    expect(pages).toContain(path);
  }
  for (const path of WITHOUT_A_LINK) expect(pages.some((page) => page.startsWith(path))).toBe(false);
  expect(pages.length).toBeGreaterThan(200);
}, 120_000);
