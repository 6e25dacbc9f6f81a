import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

/** Pages that only a redirect or a reader's own words lead to. */
const WITHOUT_A_LINK = ['/no-posts', '/404', '/search/'];

/** Addresses of this site in the named attributes of the named elements, as they are written. */
function addressesIn(html: string, elements: RegExp): string[] {
  return [...html.matchAll(elements)]
    .map(([, address]) => String(address).replaceAll('&amp;', '&'))
    .filter((address) => /^[/#]/.test(address));
}

const withoutFragment = (address: string) => address.split('#', 1)[0] ?? '';
const linksOf = (html: string) => addressesIn(html, /<a\b[^>]*\shref="([^"]+)"/g);
const filesOf = (html: string) =>
  addressesIn(html, /<(?:img|script|link)\b[^>]*\s(?:src|href)="([^"]+)"/g).map(withoutFragment);
const idsOf = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));

it('every link, place and file of the site is there, and every kind of page is reached from another', async () => {
  const seen = new Set(['/']);
  const queue = ['/'];
  const broken: string[] = [];
  const ids = new Map<string, ReturnType<typeof idsOf>>();
  const files = new Set<string>();
  const fragments = new Set<string>();
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const response = await fetch(site.origin + path, { redirect: 'manual' });
    // A sub-category without posts in a topic leads to the page that says so.
    const isEmptyTopic = response.status === 302 && response.headers.get('location') === '/no-posts';
    if (response.status !== 200 && !isEmptyTopic) broken.push(`${path}: ${response.status}`);
    const text = await response.text();
    if (!response.headers.get('content-type')?.includes('text/html')) continue;
    ids.set(path, idsOf(text));
    for (const file of filesOf(text)) files.add(file);
    for (const address of linksOf(text)) {
      const link = withoutFragment(address) || path;
      const fragment = address.split('#')[1];
      if (fragment) fragments.add(`${link}#${fragment}`);
      if (seen.has(link) || link.startsWith('/media/')) continue;
      seen.add(link);
      queue.push(link);
    }
  }
  for (const file of files) {
    const { status } = await fetch(site.origin + file, { method: 'HEAD' });
    if (status !== 200) broken.push(`${file}: ${status}`);
  }
  for (const address of fragments) {
    const [path = '', id = ''] = address.split('#');
    if (!ids.get(path)?.has(decodeURIComponent(id))) broken.push(`${address}: no such place`);
  }
  expect(broken).toEqual([]);
  expect(fragments.size).toBeGreaterThan(20);
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
