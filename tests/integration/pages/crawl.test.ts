import { matchPath } from 'react-router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages as pageTemplates } from '#client/routes.tsx';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { describeHead, graphOf, headOf } from './page-head.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

/** Pages that are reached only by a redirect or a search. */
const WITHOUT_A_LINK = ['/no-posts', '/404', '/search/'];

/** Returns same-site URLs in these attributes of these elements, as written. */
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

interface Crawled {
  /** The pages by path and query. */
  documents: Map<string, string>;
  links: Set<string>;
  files: Set<string>;
  fragments: Set<string>;
  broken: string[];
}

/** Follows every link, starting at the home page. */
async function crawl(): Promise<Crawled> {
  const documents = new Map<string, string>();
  const links = new Set(['/']);
  const files = new Set<string>();
  const fragments = new Set<string>();
  const broken: string[] = [];
  // Iterating a set includes members that are added meanwhile.
  for (const path of links) {
    const response = await fetch(site.origin + path, { redirect: 'manual' });
    // A sub-category without posts redirects to the page that says so.
    const isEmptyTopic = response.status === 302 && response.headers.get('location') === '/no-posts';
    if (response.status !== 200 && !isEmptyTopic) broken.push(`${path}: ${response.status}`);
    const text = await response.text();
    if (response.status !== 200 || !response.headers.get('content-type')?.includes('text/html')) continue;
    documents.set(path, text);
    for (const file of filesOf(text)) files.add(file);
    for (const address of linksOf(text)) {
      const link = withoutFragment(address) || path;
      const fragment = address.split('#')[1];
      if (fragment) fragments.add(`${link}#${fragment}`);
      if (!link.startsWith('/media/')) links.add(link);
    }
  }
  return { documents, links, files, fragments, broken };
}

let crawled: Crawled;
beforeAll(async () => {
  crawled = await crawl();
});

it('every link, place and file of the site is there, and every kind of page is reached from another', async () => {
  const { documents, links, files, fragments } = crawled;
  const broken = [...crawled.broken];
  const ids = new Map([...documents].map(([path, html]) => [path, idsOf(html)]));
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
  const pages = [...links];
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
  const fixed = pageTemplates.map(({ path }) => path).filter((path) => /^\/[^:*]*$/.test(path));
  const unlinked = [...fixed, '/topic/news/feed.xml'].filter(
    (path) => !WITHOUT_A_LINK.includes(path) && !pages.includes(path),
  );
  expect(unlinked, 'a page links to it, or client/layout/site-links.ts').toEqual([]);
  for (const path of WITHOUT_A_LINK) expect(pages.some((page) => page.startsWith(path))).toBe(false);
  expect(pages.length).toBeGreaterThan(200);
});

/** Pages that no link leads to. */
const MORE_PAGES = [
  '/no-posts',
  '/search/all/consent',
  '/search/all/consent?page=2',
  '/search/news/consent',
  '/search/all/customer',
  '/search/all/nothing-has-this-word',
  '/search/all/nor-this',
  '/events?page=999',
  '/events?tab=past&page=999',
];

describe('what pages say of themselves', () => {
  let documents: Map<string, string>;

  beforeAll(async () => {
    documents = new Map(crawled.documents);
    for (const path of MORE_PAGES) documents.set(path, await (await fetch(site.origin + path)).text());
  });

  it('is whole and of one mind, and of its own address', () => {
    for (const [path, html] of documents) expect([path, describeHead(path, html)]).toEqual([path, []]);
  });

  it.each(['title', 'description', 'og:title', 'og:description'] as const)(
    'has a %s on every page of the site that no other page has',
    (name) => {
      const paths = new Map<string, string[]>();
      for (const [path, html] of documents) {
        const text = headOf(html)[name] ?? '';
        paths.set(text, [...(paths.get(text) ?? []), path]);
      }
      expect([...paths].filter(([, same]) => same.length > 1)).toEqual([]);
    },
  );

  it('has been looked at for each page of the table', () => {
    const walked = [...documents.keys()].map((path) => path.split('?', 1)[0] ?? '');
    const missing = pageTemplates
      .filter(({ path }) => path !== '*')
      .filter(({ path }) => !walked.some((pathname) => matchPath({ path, end: true }, pathname)));
    const where = 'client/layout/site-links.ts, or tests/page-paths.ts for a path with parameters';
    expect(
      missing.map(({ name }) => name),
      where,
    ).toEqual([]);
  });

  it('is no page for search engines where a list has ended', () => {
    for (const path of ['/events?page=999', '/events?tab=past&page=999'])
      expect(headOf(documents.get(path) ?? '')).toMatchObject({ robots: 'noindex', canonical: null });
  });

  it('has no watch page as a video’s file, and an end of each event that has one', () => {
    const things = [...documents.values()].flatMap(graphOf);
    const videos = things.filter((thing) => thing['@type'] === 'VideoObject');
    expect(videos.length).toBeGreaterThan(0);
    for (const video of videos) {
      expect(video).toHaveProperty('embedUrl');
      expect(video).not.toHaveProperty('contentUrl');
    }
    const events = things.filter((thing) => thing['@type'] === 'Event');
    const ended = events.filter(
      ({ startDate, endDate }) => typeof endDate === 'string' && endDate > String(startDate),
    );
    expect(ended.length).toBeGreaterThan(0);
    expect(events.length).toBeGreaterThan(ended.length);
    expect(events.filter((event) => 'endDate' in event)).toHaveLength(ended.length);
  });
});
