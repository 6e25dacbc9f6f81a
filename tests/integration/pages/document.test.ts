import sharp from 'sharp';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defaultSite as identity } from '#shared/site.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksAmong, linksOf, mainOf, textOf } from './markup.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest({ CACHE_ARTICLE_TTL: '0', CACHE_ARTICLE_SWR: '0', CACHE_ARTICLE_SIE: '0' });
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

describe('a page without a picture', () => {
  it('is shared with the picture of the site, which shows its mark', async () => {
    const { text } = await request(site.origin).get('/about').expect(200);
    const [, path = ''] = /<meta property="og:image" content="https?:\/\/[^/"]+([^"]*)"/.exec(text) ?? [];
    expect(path).toBe('/share.png');
    const { body, type } = await request(site.origin).get(path).expect(200);
    const { width, height } = await sharp(body).metadata();
    expect([type, width, height]).toEqual(['image/png', 1200, 630]);
  });
});

/** Links of the footer, as specified. */
const ABOUT: [string, string][] = [
  ['/about', 'About Us'],
  ['/contact-us', 'Contact Us'],
  ['/subscribe', 'Subscribe'],
  ['/sitemap', 'Sitemap'],
];
const POLICIES: [string, string][] = [
  ['/privacy-policy', 'Privacy Policy'],
  ['/opt-out-form', 'Do Not Sell My Information'],
];

describe('the footer', () => {
  it('has its four columns, both mailboxes and the copyright line', async () => {
    const { text } = await request(site.origin).get('/about').expect(200);
    const footer = text.slice(text.indexOf('<footer'));
    const columns = footer
      .split('<nav')
      .slice(1)
      .map((column) => ({
        heading: textOf(/<h2[^>]*>.*?<\/h2>/s.exec(column)?.[0] ?? ''),
        links: linksOf(column),
      }));
    const [about, policies, ...others] = columns;
    expect([about?.heading, linksAmong(ABOUT, about?.links ?? [])]).toEqual(['About', ABOUT]);
    expect([policies?.heading, linksAmong(POLICIES, policies?.links ?? [])]).toEqual(['Policies', POLICIES]);
    expect(others.map(({ heading, links }) => [heading, links])).toEqual([
      ['Follow us', identity.social.map(({ name, href }) => [href, name])],
      ['Other Publications', identity.sisters.map(({ name, href }) => [href, name])],
    ]);
    expect(identity.social.map(({ name }) => name)).toEqual([
      'Facebook',
      'Instagram',
      'X',
      'LinkedIn',
      'YouTube',
    ]);
    expect(identity.sisters).toHaveLength(5);
    expect(footer).toContain(`href="mailto:${identity.emails.media}"`);
    expect(footer).toContain(`href="mailto:${identity.emails.sales}"`);
    expect(textOf(footer)).toMatch(/© 2014–\d{4} /);
    expect(textOf(footer)).toContain(identity.copyright);
  });
});

describe('the picture of high priority', () => {
  it.each(['/', '/topic/news', '/events'])(
    'stands in the document of %s, and no link preloads it',
    async (path) => {
      const { text } = await request(site.origin).get(path).expect(200);
      expect(text.match(/<img[^>]* fetchPriority="high"/g)).toHaveLength(1);
      expect(text).not.toContain('as="image"');
    },
  );
});

describe('an article’s parts', () => {
  const Post = z.object({ cat_slug: z.string(), post_name: z.string(), post_title: z.string() });
  const Posts = z.array(Post).min(1);

  /** Changes a post of the demo CMS in its details call. */
  async function detailWith(change: Record<string, string | number | null>): Promise<string> {
    const [post] = Posts.parse(await (await fetch(`${site.demoCms}/api/post/latest`)).json());
    const path = `/${post?.cat_slug}/${post?.post_name}`;
    const detail = z
      .object({ result: z.array(z.record(z.string(), z.json())) })
      .parse(await (await fetch(`${site.demoCms}/api/post/postdetails${path}`)).json());
    const body = { result: [{ ...detail.result[0], ...change }] };
    await site.faults([{ path: '/api/post/postdetails/*', kind: 'wrong-json', body }]);
    return (await request(site.origin).get(path).expect(200)).text;
  }

  it.each([
    [{ banner_show: 1, podcast_link: null }, true],
    [{ banner_show: '1', podcast_link: '' }, true],
    [{ banner_show: 0, podcast_link: null }, false],
    [{ banner_show: 1, podcast_link: 'https://www.youtube.com/watch?v=abcdefghijk' }, false],
    [{ banner_show: 1, podcast_link: null, banner_img: null }, false],
  ])('renders a banner for %j: %s', async (change, rendered) => {
    const main =
      /<article class="article-main">.*?<div class="article-rail"/s.exec(await detailWith(change))?.[0] ?? '';
    expect(/<img class="responsive-image" data-ratio="3\/2"/.test(main)).toBe(rendered);
  });

  it('embeds the player’s picture and a link to the video when there is a podcast link', async () => {
    const html = await detailWith({ podcast_link: 'https://youtu.be/abcdefghijk?t=3' });
    expect(html).toContain('href="https://www.youtube.com/watch?v=abcdefghijk"');
    expect(html).not.toContain('<iframe class="video"');
  });

  it('has a byline of author and short date, More from and Related Content without itself', async () => {
    const html = await detailWith({ post_author: 'Ada Quill', post_date: '2026-03-04T10:00:00.000Z' });
    expect(textOf(html)).toContain('By Ada Quill | Mar 4, 2026');
    expect(html).toContain(`More from ${identity.product}`);
    const title = headingOf(html);
    expect(title).not.toBe('');
    const side = /<aside class="article-side.*?<\/aside>/s.exec(html)?.[0] ?? '';
    expect(side).toContain('Related Content');
    expect(linksOf(side).map(([, text]) => text)).not.toContain(title);
  });

  it('has share buttons, a Post-1 advertisement in its sidebar and a Footer-3 one at the bottom', async () => {
    const main = mainOf(await detailWith({}));
    for (const network of ['Facebook', 'X', 'LinkedIn', 'WhatsApp', 'Weibo', 'Workplace'])
      expect(linksOf(main).map(([, text]) => text)).toContain(`Share on ${network}`);
    const [, rail = '', foot = ''] = main.split(/<div class="article-rail|<div class="article-foot/);
    expect([...rail.matchAll(/data-slot="([^"]+)"/g)].map(([, slot]) => slot)).toEqual(['Post-1']);
    expect([...foot.matchAll(/data-slot="([^"]+)"/g)].map(([, slot]) => slot)).toEqual(['Footer-3']);
  });

  it('carries its structured data, the way to it, the organisation and the search of the site', async () => {
    const html = await detailWith({ banner_img: '/posts/one.jpg' });
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    const graph: { '@type': string }[] = JSON.parse(json)['@graph'];
    expect(graph.map((thing) => thing['@type'])).toEqual(
      expect.arrayContaining([
        'NewsArticle',
        'SocialMediaPosting',
        'ImageObject',
        'BreadcrumbList',
        'Organization',
        'WebSite',
      ]),
    );
    expect(json).toContain('https://www.example.com/search/all/{search_term_string}');
    const video = await detailWith({ podcast_link: 'https://youtu.be/abcdefghijk' });
    expect(video).toContain('"@type":"VideoObject"');
  });

  it('numbers its contents, lists H1 unnumbered, and keeps one h1 on the page', async () => {
    const html = await detailWith({
      post_content: '<h1>Zero</h1><h3>Early</h3><h2>One</h2><h3>Part</h3><h4>Deep</h4><h2>Two</h2>',
    });
    const list = /<ol id="contents-entries".*?<\/ol>/s.exec(html)?.[0] ?? '';
    const entries = [...list.matchAll(/<li data-level="(\d)">(.*?)<\/li>/gs)].map(
      ([, level, entry]) => `${level} ${textOf(String(entry))}`,
    );
    expect(entries).toEqual(['1 Zero', '3 Early', '2 1. One', '3 1.1 Part', '4 Deep', '2 2. Two']);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('has no contents list without headings', async () => {
    expect(await detailWith({ post_content: '<p>Short.</p>' })).not.toContain('Table of Contents');
  });

  it('shows the default photo for an author without one, and none of it when the author cannot be had', async () => {
    const own = await startSiteUnderTest();
    const topic = z.object({
      posts: z.array(z.object({ category: z.string(), slug: z.string(), author: z.string().nullable() })),
    });
    const { posts } = topic.parse(await (await fetch(`${own.origin}/api/topics/news`)).json());
    const desk = posts.find(({ author }) => author === 'Newsroom Desk');
    const path = `/${desk?.category}/${desk?.slug}`;
    expect((await request(own.origin).get(path)).text).toContain('src="/default-author.svg"');
    await own.close();
    const cold = await startSiteUnderTest();
    await cold.faults([{ path: '/api/author/*', kind: 'status', status: 500 }]);
    expect((await request(cold.origin).get(path).expect(200)).text).not.toContain('author-box');
    await cold.close();
  });
});

describe('the reader’s address', () => {
  it('of a view is the looked-up one where the request’s own is not public', async () => {
    const [post] = z
      .array(z.object({ cat_slug: z.string(), post_name: z.string(), id: z.number() }))
      .parse(await (await fetch(`${site.demoCms}/api/post/latest`)).json());
    await request(site.origin).get(`/${post?.cat_slug}/${post?.post_name}`).expect(200);
    const Views = z.object({ views: z.array(z.object({ ipAddr: z.string() })) });
    await expect
      .poll(
        async () =>
          Views.parse(await (await fetch(`${site.demoCms}/demo-cms/views`)).json()).views.at(-1)?.ipAddr,
      )
      .toBe('203.0.113.7');
  });
});
