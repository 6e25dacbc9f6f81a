import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cmsTag } from '../../fixtures/cms-lists.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksOf, mainOf, partOf } from './markup.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

const get = (path: string) => request(site.origin).get(path).redirects(0);

const LISTS = {
  news: 9,
  featured: 9,
  quickbytes: 9,
  podcasts: 9,
  interview: 9,
  futureready: 9,
  guestauthor: 9,
  learningcenter: 9,
};

/** Renders a tag page with these lists; returns its `main` and each section's markup by id. */
async function tagPage(tag: string, counts: Partial<typeof LISTS>) {
  await site.faults([{ path: `/api/post/tag/${tag}`, kind: 'wrong-json', body: cmsTag(counts) }]);
  const { text } = await get(`/tag/${tag}`).expect(200);
  const main = mainOf(text);
  const starts = [...main.matchAll(/<section id="([a-z-]+)" class="tag-section/g)];
  const sections = new Map(
    starts.map((start, index) => [start[1] ?? '', main.slice(start.index, starts[index + 1]?.index)]),
  );
  return { text, main, sections };
}

const posts = (markup = '') =>
  linksOf(markup)
    .map(([, text]) => text)
    .filter((text) => text.startsWith('Post '));

const robotsOf = (html: string) => /<meta name="robots" content="([^"]*)"/.exec(html)?.[1];

describe('to search engines a tag', () => {
  it('that the sub-categories list is a page under its own address', async () => {
    const { text } = await get('/tag/customer-data').expect(200);
    expect(robotsOf(text)).toBe('index, follow, max-image-preview:large');
    expect(text).toContain('<link rel="canonical" href="https://www.example.com/tag/customer-data"/>');
    expect(text).toContain('"@type":"BreadcrumbList"');
  });

  it.each(['/tag/buy%20cheap%20pills', '/tag/Customer-data'])(
    'that they do not list (%s) is none',
    async (path) => {
      const { text } = await get(path).expect(200);
      expect(robotsOf(text)).toBe('noindex');
      expect(text).not.toMatch(/rel="canonical"|og:url|BreadcrumbList/);
    },
  );

  it('is known by its posts while the list cannot be had, which is soon asked for again', async () => {
    const own = await startSiteUnderTest();
    try {
      await own.faults([{ path: '/api/category/subcatlist', kind: 'status', status: 503 }]);
      const known = await request(own.origin).get('/tag/customer-data').expect(200);
      expect(robotsOf(known.text)).toMatch(/^index/);
      const minted = await request(own.origin).get('/tag/buy%20cheap%20pills').expect(200);
      expect(robotsOf(minted.text)).toBe('noindex');
      const { body } = await request(own.ops).get('/cache/explain?url=/tag/customer-data');
      expect(body.complete).toBe(false);
    } finally {
      await own.close();
    }
  });
});

describe('a tag page', () => {
  it('has the slug as its heading, capitalised', async () => {
    expect(headingOf((await get('/tag/customer-data').expect(200)).text)).toBe('Customer-data');
  });

  it('has its sections and advertisements in the specified order', async () => {
    const { main } = await tagPage('order', LISTS);
    const marks = [...main.matchAll(/<section id="([a-z-]+)" class="tag-section|data-slot="([^"]+)"/g)];
    expect(marks.map(([, section, slot]) => section ?? slot)).toEqual([
      'news',
      'articles',
      'quick-bytes',
      'Post-1',
      'Footer-3',
      'podcast',
      'hot-seats',
      'future-ready',
      'guest-author',
      'learning-center',
      'Footer-3',
    ]);
  });

  it('shows at most 3 news, 4 hot seats, 2 future ready and 3 of the learning center, and all of the others', async () => {
    const { sections } = await tagPage('counts', LISTS);
    const counts = [...sections].map(([id, markup]) => [id, new Set(posts(markup)).size]);
    expect(Object.fromEntries(counts)).toEqual({
      news: 3,
      articles: 9,
      'quick-bytes': 9,
      podcast: 9,
      'hot-seats': 4,
      'future-ready': 2,
      'guest-author': 9,
      'learning-center': 3,
    });
  });

  it('has articles 1 to 7 in the side list and 8 on beside it, none twice', async () => {
    const { sections } = await tagPage('articles', LISTS);
    const [list = '', rest = ''] = (sections.get('articles') ?? '').split('</ul>');
    expect(posts(list)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `Post ${number}`));
    expect(posts(rest)).toEqual(['Post 8', 'Post 9']);
  });

  it('says No Posts Available in every empty section, and leaves Future Ready out', async () => {
    const { sections } = await tagPage('empty', {});
    expect([...sections.keys()]).not.toContain('future-ready');
    expect(sections.size).toBe(7);
    for (const markup of sections.values()) expect(markup).toContain('No Posts Available');
  });

  it('links each card to its article', async () => {
    const { sections } = await tagPage('links', LISTS);
    expect(linksOf(sections.get('news') ?? '')).toContainEqual(['/news/news-post-1', 'Post 1']);
  });

  it('has a closed Category menu without News, Articles and Quick Bytes until the browser has loaded it', async () => {
    const { main } = await tagPage('menu', LISTS);
    const menu = partOf(main, 'div', 'category-menu');
    expect(menu).toMatch(/<button[^>]*popovertarget="[^"]+"[^>]*>Category</i);
    expect(linksOf(menu).map(([href]) => href)).toEqual([
      '#podcast',
      '#hot-seats',
      '#future-ready',
      '#guest-author',
      '#learning-center',
    ]);
  });

  it.each([500, 501])('goes to /404 when it is cold and the upstream says %i', async (status) => {
    await site.faults([{ path: `/api/post/tag/cold-${status}`, kind: 'status', status }]);
    await get(`/tag/cold-${status}`)
      .expect(302)
      .expect('location', '/404')
      .expect('cache-control', 'no-store');
  });

  it('is 503 with the empty state when it is cold and the upstream fails otherwise', async () => {
    await site.faults([{ path: '/api/post/tag/cold', kind: 'status', status: 502 }]);
    const { text } = await get('/tag/cold').expect(503).expect('cache-control', 'no-store');
    expect(mainOf(text)).toContain('No Posts Available');
    expect(text).toContain('Other Publications');
  });
});
