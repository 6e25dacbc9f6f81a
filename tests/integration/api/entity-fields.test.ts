import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '#demo/faults/faults.ts';
import { ArticlePage } from '#shared/models/article.ts';
import { cmsTag } from '../../fixtures/cms-lists.ts';
import { headingOf, mainOf, partOf, textOf } from '../pages/markup.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());
beforeEach(() => site.reset());

type Json = FaultRule['body'];

async function cacheQueries(responses: Record<string, Json>): Promise<void> {
  await site.faults(
    Object.entries(responses).map(([path, body]) => ({
      path,
      kind: 'wrong-json' as const,
      body: body ?? null,
    })),
  );
}

const open = async (path: string) => (await request(site.origin).get(path).expect(200)).text;

/** Every field of a post, each with a value that is nowhere else. */
const POST = {
  id: 4711,
  cat_slug: 'news',
  post_name: 'the-slug',
  post_title: 'The title',
  post_content: '<h2>The heading</h2><p>The whole text.</p>',
  post_author: 'Ada Quill',
  post_author_id: 12,
  post_date: '2026-03-04T10:00:00.000Z',
  meta_description: 'The meta description.',
  meta_keywords: 'consent, ledgers',
  banner_img: '/posts/the-banner.jpg',
  banner_show: 1,
  podcast_link: null,
  reading_time: 7,
};
const LISTED = { ...POST, post_content: '<p>The short description.</p>' };
const AUTHOR = {
  author_name: 'ada-quill',
  author_display_name: 'Ada M. Quill',
  author_description: 'Writes about ledgers.',
  author_photo: '/authors/ada.jpg',
};

const article = (post: Json = POST, author: Json = AUTHOR) => ({
  '/api/post/postdetails/news/the-slug': { result: [post ?? null] },
  '/api/author/12': { result: [author ?? null] },
});

describe('a post', () => {
  it('is rendered on its page by every field', async () => {
    await cacheQueries(article());
    const html = await open('/news/the-slug');
    const main = mainOf(html);
    expect(headingOf(main)).toBe('The title');
    expect(textOf(main)).toContain('By Ada Quill | Mar 4, 2026');
    expect(textOf(main)).toContain('7 min read');
    expect(partOf(main, 'div', 'rich-text')).toContain('<p>The whole text.</p>');
    expect(html).toContain('<meta name="description" content="The meta description."');
    expect(html).toContain('<meta name="keywords" content="consent, ledgers"');
    expect(main).toMatch(
      /<img[^>]* src="[^"]+\/media\/posts\/the-banner\.jpg\?width=1000"[^>]* alt="the-slug"/,
    );
    const { body } = await request(site.origin).get('/api/articles/news/the-slug').expect(200);
    expect(ArticlePage.parse(body).article.id).toBe('4711');
  });

  it('is rendered in a list by category, slug, title, short description, author, short date, picture and reading time', async () => {
    const { posts } = cmsTag({});
    await cacheQueries({ '/api/post/tag/one': { posts: { ...posts, news: [LISTED] } } });
    const card = partOf(mainOf(await open('/tag/one')), 'article', 'post-card');
    expect(card).toContain('href="/news/the-slug"');
    expect(card).toMatch(/<img[^>]* src="[^"]+\/media\/posts\/the-banner\.jpg\?width=500"/);
    expect(card).toContain('alt="the-slug"');
    for (const text of ['The title', 'The short description.', 'Ada Quill', 'Mar 4, 2026', '7 min read'])
      expect(textOf(card)).toContain(text);
  });

  it('has its description in p_content in some lists', async () => {
    const post = { ...LISTED, p_content: 'The described.' };
    await cacheQueries({ '/api/post/tag/one': { posts: { news: [post] } } });
    const card = partOf(mainOf(await open('/tag/one')), 'article', 'post-card');
    expect(textOf(card)).toContain('The described.');
    expect(textOf(card)).not.toContain('The short description.');
  });

  it('with a podcast_link has a play mark in lists and the video on its page', async () => {
    const podcast_link = 'https://www.youtube.com/watch?v=abcdefghijk';
    await cacheQueries({
      '/api/post/tag/one': { posts: { news: [{ ...LISTED, podcast_link }] } },
      ...article({ ...POST, podcast_link }),
    });
    expect(mainOf(await open('/tag/one'))).toContain('post-card-play');
    expect(mainOf(await open('/news/the-slug'))).toContain(
      'href="https://www.youtube.com/watch?v=abcdefghijk"',
    );
  });
});

describe('an author', () => {
  it('has a display name, a description and a photo 300 or 500 wide', async () => {
    await cacheQueries(article());
    const box = partOf(mainOf(await open('/news/the-slug')), 'section', 'author-box');
    expect(textOf(box)).toBe('Ada M. QuillWrites about ledgers.');
    expect(box).toMatch(/<img[^>]* src="[^"]+\/media\/authors\/ada\.jpg\?width=300"/);
    expect([...box.matchAll(/width=(\d+) (\d+)w/g)].map(([, width]) => width)).toEqual(['300', '500']);
  });

  it('goes by author_name without a display name, and has the default photo without one', async () => {
    await cacheQueries(article(POST, { ...AUTHOR, author_display_name: null, author_photo: null }));
    const box = partOf(mainOf(await open('/news/the-slug')), 'section', 'author-box');
    expect(textOf(box)).toContain('ada-quill');
    expect(box).toContain('src="/default-author.svg"');
    expect(box).not.toContain('srcSet');
  });
});

describe('an advertisement', () => {
  it('is rendered in the slot of its banner_type, with picture, name and destination', async () => {
    const ad = (banner_type: string) => ({
      banner_type,
      banner_img: `/ads/${banner_type}.jpg`,
      banner_name: `Name of ${banner_type}`,
      dest_url: `https://ads.example.com/${banner_type}`,
      duration_time: 5,
    });
    await cacheQueries({
      '/api/advertisement/get_active': ['Home-2', 'Post-1', 'Footer-3', 'Side-9'].map(ad),
    });
    for (const [path, slots] of [
      ['/', ['Home-2', 'Footer-3']],
      ['/topic/news', ['Post-1', 'Footer-3']],
    ] as const) {
      const main = mainOf(await open(path));
      const rendered = [
        ...main.matchAll(/<div class="ad-slot" role="group" data-slot="([^"]+)".*?<\/a><\/div>/gs),
      ];
      expect(rendered.map(([, slot]) => slot)).toEqual(slots);
      for (const [markup, slot] of rendered) {
        expect(markup).toContain(`href="https://ads.example.com/${slot}"`);
        expect(markup).toMatch(
          new RegExp(`src="[^"]+/media/ads/${slot}\\.jpg\\?width=\\d+"[^>]* alt="Name of ${slot}"`),
        );
      }
    }
  });
});

describe('categories and sub-categories', () => {
  it('are rendered by name and lead by slug', async () => {
    await cacheQueries({
      '/api/category/all': [{ cat_slug: 'the-cat', cat_name: 'The Category' }],
      '/api/category/subcatlist': [{ id: 1, subcat_slug: 'the-sub', subcat_name: 'The Sub-category' }],
    });
    expect(await open('/search/all/consent')).toMatch(/href="\/search\/the-cat\/consent"[^>]*>The Category</);
    expect(await open('/topic/news')).toMatch(/href="\/topic\/news\/the-sub"[^>]*>The Sub-category</);
    expect(await open('/sitemap')).toMatch(/href="\/tag\/the-sub"[^>]*>The Sub-category</);
  });
});

describe('an event', () => {
  const EVENT = {
    event_id: 31,
    event_title: 'The event',
    event_slug: 'the-event',
    event_banner: '/events/the-event.jpg',
    event_location: 'Lisbon',
    event_date: '2026-03-04T10:00:00.000Z',
    event_desc: `<h2>Why</h2><p>Because &amp; ${'so on '.repeat(40)}</p>`,
    event_link: 'https://host.example.org/day',
    banner_show: 1,
    podcast_link: null,
  };
  const pagination = { totalPages: 1 };
  const detail = (event: Json) => ({ '/api/event/eventdetails/the-event': { eventData: [event ?? null] } });

  it('is rendered on its card: banner, title, location, short date, and its text cut at 100 characters', async () => {
    await cacheQueries({ '/api/event/totalevents': { responseData: { eventData: [EVENT], pagination } } });
    const card = partOf(mainOf(await open('/events')), 'article', 'event-card');
    expect(card).toContain('href="/events/the-event"');
    expect(card).toMatch(/<img[^>]* src="[^"]+\/media\/events\/the-event\.jpg\?width=300"/);
    const widths = [...card.matchAll(/width=\d+ (\d+)w/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([150, 250, 300, 320, 500, 700, 1000, 1200]);
    for (const text of ['The event', 'Lisbon', 'Mar 4, 2026']) expect(textOf(card)).toContain(text);
    const description = textOf(partOf(card, 'p', 'event-card-description'));
    expect(description).toMatch(/^Why ?Because & so on .*\.\.\.$/);
    expect(description).toHaveLength(103);
  });

  it('is rendered on its page: title, banner, long date, place, HTML, and the way to its organiser', async () => {
    await cacheQueries(detail(EVENT));
    const main = mainOf(await open('/events/the-event'));
    expect(headingOf(main)).toBe('The event');
    expect(main).toMatch(/src="[^"]+\/media\/events\/the-event\.jpg\?width=1000"[^>]* alt="the-event"/);
    expect(textOf(main)).toContain('Wednesday, March 4, 2026');
    expect(textOf(main)).toContain('Lisbon');
    expect(partOf(main, 'div', 'rich-text')).toMatch(/<h2[^>]*>Why<\/h2>/);
    expect(main).toContain('href="https://host.example.org/day"');
  });

  it('says its last day where the upstream does, to readers and search engines', async () => {
    await cacheQueries(detail({ ...EVENT, event_end_date: '2026-03-06T16:00:00.000Z' }));
    const html = await open('/events/the-event');
    expect(textOf(mainOf(html))).toContain('Wednesday, March 4, 2026 – Friday, March 6, 2026');
    expect(html).toContain('"startDate":"2026-03-04T10:00:00.000Z","endDate":"2026-03-06T16:00:00.000Z"');
  });

  it('with a podcast_link has the video in the banner’s place', async () => {
    await cacheQueries(detail({ ...EVENT, podcast_link: 'https://vimeo.com/123456789' }));
    expect(mainOf(await open('/events/the-event'))).toContain('href="https://vimeo.com/123456789"');
  });
});
