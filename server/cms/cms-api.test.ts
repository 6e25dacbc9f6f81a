import { describe, expect, it } from 'vitest';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import {
  awkwardAdvertisements,
  awkwardEvent,
  awkwardList,
  awkwardPost,
  barePost,
} from '../../tests/fixtures/cms-responses.ts';
import { UpstreamError } from './client/upstream-error.ts';
import { createCmsApi, type RenderHtml } from './cms-api.ts';

/** Makes the API over one upstream response, or the error of the call. */
function contentOf(response: unknown, renderHtml: RenderHtml = renderArticleHtml) {
  const asked: string[] = [];
  const leftOut: object[] = [];
  const content = createCmsApi({
    client: {
      get: async (path, { parse }) => {
        asked.push(path);
        if (response instanceof Error) throw response;
        return parse(response);
      },
    },
    renderHtml,
    publicOrigin: 'https://site.example.com',
    imageHost: 'https://img.example.com',
    imagesServedBelow: null,
    report: (left) => leftOut.push(left),
  });
  return { content, asked, leftOut };
}

const address = { category: 'news', slug: 'rock-and-roll' };

describe('a list of posts', () => {
  it('keeps the good items, in our own model, and reports the others in one line', async () => {
    const { content, leftOut } = contentOf(awkwardList);
    expect(await content.homeLatest()).toEqual([
      {
        id: '42',
        category: 'news',
        slug: 'rock-and-roll',
        title: 'Rock & Roll: 5 < 6 and a < b',
        excerpt: 'Deck & more',
        author: 'Ann Étoile',
        publishedAt: '2026-01-05T10:20:30.000Z',
        image: 'https://img.example.com/posts/rock.jpg',
        readingMinutes: 4,
        hasVideo: false,
      },
      {
        id: 'bare',
        category: 'unheard-of',
        slug: 'bare',
        title: 'Bare',
        excerpt: null,
        author: null,
        publishedAt: null,
        image: null,
        readingMinutes: null,
        hasVideo: false,
      },
    ]);
    const reason =
      'not an object of its kind (3), no slug (3), no category (1), no title (2), the path of a file or of another page (1)';
    expect(leftOut).toEqual([{ call: 'post.homelatest', reason, items: 10 }]);
  });

  it('may have gaps in its indices, which PHP writes as names', async () => {
    const post = { cat_slug: 'news', post_title: 'A title' };
    const gapped = { 0: { ...post, post_name: 'first' }, 2: { ...post, post_name: 'third' } };
    const slugs = (posts: readonly { slug: string }[]) => posts.map(({ slug }) => slug);
    expect(slugs(await contentOf(gapped).content.homeLatest())).toEqual(['first', 'third']);
    const menu = await contentOf({ newsData: gapped }).content.latestPost();
    expect(slugs(menu.news)).toEqual(['first', 'third']);
    for (const none of [{}, { error: 'none' }, false])
      await expect(contentOf(none).content.homeLatest()).rejects.toBeInstanceOf(UpstreamError);
  });

  it.each(['0', 0, 'null', 'false', false, [], '', 'NaN', '[object Object]'])(
    'has neither a picture nor a podcast where both are %j',
    async (none) => {
      const post = {
        cat_slug: 'news',
        post_name: 'a',
        post_title: 'A',
        banner_img: none,
        podcast_link: none,
      };
      expect(await contentOf([post]).content.homeLatest()).toMatchObject([{ image: null }]);
      const shown = { ...post, banner_img: 'a.jpg', banner_show: '1' };
      const details = await contentOf({ result: [shown] }).content.postDetails(address);
      expect(details?.article.banner).toBe('https://img.example.com/a.jpg');
      expect(details?.article.bodyHtml).toBe('');
    },
  );

  it.each([
    ['UTC', '2026-11-15T10:00:00.000Z'],
    ['+02:00', '2026-11-15T08:00:00.000Z'],
    ['Europe/Berlin', '2026-11-15T10:00:00.000Z'],
  ])('has dates that PHP writes as objects: %s', async (timezone, publishedAt) => {
    const post_date = { date: '2026-11-15 10:00:00.000000', timezone_type: 3, timezone };
    const post = { cat_slug: 'news', post_name: 'a', post_title: 'A', post_date };
    expect(await contentOf([post]).content.homeLatest()).toMatchObject([{ publishedAt }]);
  });

  it('has no other text in place of a missing excerpt', async () => {
    const { content } = contentOf([
      { cat_slug: 'news', post_name: 'bare', post_title: 'Bare', meta_description: 'For search engines' },
    ]);
    expect((await content.latest())[0]?.excerpt).toBeNull();
  });

  it('has events, as a search may find them', async () => {
    const { content } = contentOf([
      { ...barePost, cat_slug: 'events' },
      { ...barePost, cat_slug: 'events', post_name: 'a.png' },
      { ...barePost, cat_slug: 'Events' },
    ]);
    const events = [{ category: 'events', slug: barePost.post_name }, { category: 'Events' }];
    expect(await content.latest()).toMatchObject(events);
  });

  it.each(['tag', 'Tag', 'topic', 'author', 'api', 'a%00', 'a/../b', '\u200B'])(
    'has no post whose page could not be reached, as one of the category %j',
    async (cat_slug) => {
      const { content, leftOut } = contentOf([{ ...barePost, cat_slug }, barePost]);
      expect(await content.latest()).toHaveLength(1);
      expect(leftOut).toHaveLength(1);
    },
  );

  it('has posts without a title by their first words', async () => {
    const p_content = `<p>${'Ledgers and '.repeat(20)}</p>`;
    const { content } = contentOf([
      { cat_slug: 'news', post_name: 'untitled', post_title: '&nbsp;', p_content },
    ]);
    expect((await content.latest())[0]?.title).toMatch(/^Ledgers and .{50,68}…$/);
  });

  it('of a wrong shape is rejected', async () => {
    for (const response of [null, 'x', { posts: [] }, 7]) {
      await expect(contentOf(response).content.latest()).rejects.toMatchObject({
        kind: 'shape',
        call: 'post.latest',
      });
    }
  });

  it('that is missing among several is empty', async () => {
    const { content } = contentOf({ newsData: null, quickByteData: [barePost] });
    expect(await content.latestPost()).toMatchObject({ news: [], quickBytes: [{ slug: 'bare' }] });
  });
});

describe('a topic', () => {
  it('has totals whether they are numbers or numeric strings', async () => {
    const { content, asked } = contentOf({
      posts: { postData: [barePost], pagination: { totalItems: '31', totalPages: 4 } },
    });
    const topic = await content.topic({ category: '../a b', subcategory: '..', page: 2, limit: 10 });
    expect(topic).toMatchObject({ posts: [{ slug: 'bare' }], totalItems: 31, totalPages: 4 });
    expect(asked).toEqual(['/api/post/topic/..%2Fa%20b/%252E%252E?page=2&limit=10']);
  });

  it('has nothing beyond its last page, as lists of authors and events, whatever the upstream sends for it', async () => {
    const pagination = { totalItems: 1, totalPages: 1 };
    const { content } = contentOf({
      posts: { postData: [barePost], pagination },
      responseData: { eventData: [awkwardEvent], pagination },
    });
    const topic = { category: 'news', subcategory: null, limit: 10 };
    expect((await content.topic({ ...topic, page: 1 })).posts).toHaveLength(1);
    expect((await content.topic({ ...topic, page: 2 })).posts).toEqual([]);
    expect(await content.authorPosts({ id: '7', page: 2 })).toBeNull();
    expect(await content.events({ tab: 'all', page: 2 })).toMatchObject({ events: [] });
    const uncounted = { posts: { postData: [barePost], pagination: { totalItems: 0, totalPages: 0 } } };
    expect((await contentOf(uncounted).content.topic({ ...topic, page: 1 })).posts).toHaveLength(1);
  });

  it('rounds up a total of pages that is no whole number', async () => {
    const { content } = contentOf({
      posts: { postData: [barePost], pagination: { totalItems: 25, totalPages: 2.5 } },
      responseData: { eventData: [], pagination: { totalPages: '2.5' } },
    });
    const topic = await content.topic({ category: 'news', subcategory: null, page: 1, limit: 10 });
    expect(topic).toMatchObject({ totalItems: 25, totalPages: 3 });
    expect(await content.events({ tab: 'all', page: 1 })).toMatchObject({ totalPages: 3 });
  });

  it('is a wrong shape where all of them are missing: an empty menu would replace a good one', async () => {
    const { content } = contentOf({ posts: 7, newsData: null });
    await expect(content.latestPost()).rejects.toMatchObject({ kind: 'shape' });
    await expect(content.leadership()).rejects.toMatchObject({ kind: 'shape' });
    await expect(content.featured()).rejects.toMatchObject({ kind: 'shape' });
  });

  it('without its pagination or list is a wrong shape', async () => {
    const topic = { category: 'news', subcategory: null, page: 1, limit: 10 };
    for (const posts of [
      { postData: [] },
      { pagination: { totalItems: 0, totalPages: 0 } },
      { postData: {}, pagination: {} },
    ]) {
      await expect(contentOf({ posts }).content.topic(topic)).rejects.toMatchObject({ kind: 'shape' });
    }
  });
});

describe('a search', () => {
  const query = { category: 'all', term: 'a/b?', page: 1 };

  it('needs success true and a list', async () => {
    for (const response of [
      { success: false, result: { postData: [] } },
      { success: true, result: {} },
    ]) {
      await expect(contentOf(response).content.search(query)).rejects.toMatchObject({ kind: 'shape' });
    }
  });

  it('without pagination has the totals of its list', async () => {
    const { content, asked } = contentOf({ success: true, result: { postData: [barePost] } });
    expect(await content.search(query)).toMatchObject({ totalItems: 1, totalPages: 1 });
    expect(asked).toEqual(['/api/post/search/all/a%2Fb%3F?page=1']);
  });
});

describe('an article', () => {
  async function article(fields: object) {
    const found = await contentOf({ result: [{ ...awkwardPost, ...fields }] }).content.postDetails(address);
    return found?.article;
  }

  it('whose body cannot be rendered is a failure of its shape', async () => {
    const { content } = contentOf({ result: [awkwardPost] }, () =>
      Promise.reject(new Error('the thread ended')),
    );
    await expect(content.postDetails(address)).rejects.toMatchObject({
      name: 'UpstreamError',
      kind: 'shape',
    });
  });

  it('is read with its author, keywords and safe body', async () => {
    const found = await contentOf({ result: [awkwardPost] }).content.postDetails(address);
    expect(found).toMatchObject({
      authorId: '7',
      article: { keywords: ['ai', 'cdp'], bodyHtml: '<p>Long\u00A0story.</p><p>Second</p>', headings: [] },
    });
    expect(found?.article).not.toHaveProperty('excerpt');
  });

  it('has links to its own places, where they have its whole address', async () => {
    const post_content = '<a href="https://site.example.com/news/rock-and-roll/#a">A</a><p id="a">a</p>';
    const { content } = contentOf({ result: [{ ...awkwardPost, post_content }] });
    expect((await content.postDetails(address))?.article.bodyHtml).toContain('<a href="#t-a">');
    const event_desc = post_content.replace('/news/', '/events/');
    const found = await contentOf({ eventData: [{ ...awkwardEvent, event_desc }] }).content.event(
      'rock-and-roll',
    );
    expect(found?.descriptionHtml).toContain('<a href="#t-a">');
  });

  it('has a banner only without a podcast link, with a picture, and with banner_show 1', async () => {
    expect(await article({})).toHaveProperty('banner', 'https://img.example.com/posts/rock.jpg');
    expect(await article({ podcast_link: 'unreadable' })).toMatchObject({ banner: null, video: null });
    expect(await article({ banner_show: 0 })).toHaveProperty('banner', null);
    expect(await article({ banner_img: null })).toHaveProperty('banner', null);
  });

  it.each([
    [
      'https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk?si=1',
      'data-embed="Load the episode from Spotify"',
    ],
    ['https://pod.example.com/7.mp3?a=1&b=2', '<source src="https://pod.example.com/7.mp3?a=1&#x26;b=2">'],
    ['https://pod.example.com/7.mp4', '<video'],
    ['https://pod.example.com/7?a=1&copy=2', '<a href="https://pod.example.com/7?a=1&#x26;copy=2"'],
    [
      '<iframe width="100%" src="//open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk?a=1&amp;b=2"></iframe>',
      'data-embed="Load the episode from Spotify"',
    ],
  ])('begins with a podcast link that the video player does not take: %s', async (podcast_link, shown) => {
    const found = await article({ podcast_link });
    expect(found?.bodyHtml).toMatch(/<p>Second<\/p>$/);
    expect(found?.bodyHtml.split('Long')[0]).toContain(shown);
    expect(found).toMatchObject({ banner: null, video: null });
    const event = await contentOf({ eventData: [{ ...awkwardEvent, podcast_link }] }).content.event('x');
    expect(event?.descriptionHtml.split('Why')[0]).toContain(shown);
  });

  it.each([
    [
      'https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk',
      'https://open.spotify.com/embed/episode/4rOoJ6Egrf8K2IrywzwOMk',
    ],
    ['https://pod.example.com/7', 'https://pod.example.com/7'],
    ['https://pod.example.com/7?a=1&b=2', 'https://pod.example.com/7?a=1&amp;b=2'],
    ['https://pod.example.com/7?a=1&b=2', 'https://pod.example.com/7?a=1&#038;b=2'],
  ])('shows a podcast link once that is in its text too: %s', async (podcast_link, src) => {
    const post_content = `<p>Listen</p><iframe src="${src}"></iframe>`;
    const found = await article({ podcast_link, post_content });
    expect(found?.bodyHtml).toMatch(/^<p>Listen<\/p>/);
  });

  it.each([
    '<iframe title="A > talk" src="https://www.youtube.com/embed/abcdefghijk?rel=0&#038;a=1">',
    '<div style="padding:56.25% 0 0 0"><iframe allow="src=1" data-src=//www.youtube.com/embed/abcdefghijk></iframe></div><script src="https://player.example/api.js"></script>',
  ])('shows the video of a podcast link that is the embed code of a player: %s', async (podcast_link) => {
    expect(await article({ podcast_link })).toHaveProperty('video', {
      provider: 'youtube',
      id: 'abcdefghijk',
    });
  });

  it.each([
    'unreadable',
    'javascript:alert(1)',
    'ftp://pod.example.com/7',
    '<iframe src="javascript:alert(1)">',
  ])('shows nothing of a podcast link that no reader can open: %s', async (podcast_link) => {
    expect((await article({ podcast_link }))?.bodyHtml).toMatch(/^<p>Long/);
  });

  it('takes the address it was asked by where its own is missing', async () => {
    expect(await article({ cat_slug: null, post_name: '', id: null })).toMatchObject({
      ...address,
      id: 'rock-and-roll',
    });
  });

  it('whose body had to be reduced is reported, without its content', async () => {
    const { content, leftOut } = contentOf({
      result: [{ ...awkwardPost, post_content: '<div>'.repeat(900) }],
    });
    await content.postDetails(address);
    expect(leftOut).toEqual([{ call: 'post.postdetails', reason: 'body reduced: too-deep', items: 1 }]);
  });

  it('with a picture and no words is called by its slug', async () => {
    const wordless = { post_title: '', post_content: '<img src="/a.jpg" alt="">', p_content: null };
    expect(await article({ ...wordless, meta_description: null })).toMatchObject({ title: 'rock and roll' });
  });

  it('is the first of its list that can be shown', async () => {
    const { content, leftOut } = contentOf({
      result: [null, 'x', [], 7, { post_title: '' }, awkwardPost, barePost],
    });
    expect(await content.postDetails(address)).toMatchObject({ article: { slug: 'rock-and-roll' } });
    expect(leftOut).toHaveLength(5);
    const author = contentOf({ result: [null, { author_name: 'ann' }] }).content.author('7');
    expect(await author).toMatchObject({ name: 'ann' });
    const event = contentOf({ eventData: [null, awkwardEvent] }).content.event('martech-live');
    expect(await event).toMatchObject({ slug: 'martech-live' });
    const none = contentOf({ result: Array(1_000).fill(null) });
    await expect(none.content.postDetails(address)).rejects.toMatchObject({ kind: 'shape' });
    expect(none.leftOut.length).toBeLessThan(20);
  });

  it('has the address that was asked for where its own is none, or that of another page or a file', async () => {
    expect(await article({ cat_slug: '..', post_name: '.' })).toMatchObject(address);
    for (const cat_slug of ['events', 'api', 'a%00', '\u200B'])
      expect(await article({ cat_slug })).toMatchObject(address);
    expect(await article({ post_name: 'a.png' })).toMatchObject(address);
    const event = contentOf({ eventData: [{ ...awkwardEvent, event_slug: 'a.png' }] }).content.event('a-day');
    expect(await event).toMatchObject({ slug: 'a-day' });
  });

  it('is null where the upstream says so and for an empty result, and fails for anything else', async () => {
    const absent = new UpstreamError('not-found', 'post.postdetails', { status: 404 });
    expect(await contentOf(absent).content.postDetails(address)).toBeNull();
    const notInJson = new UpstreamError('status', 'post.postdetails', { status: 404 });
    await expect(contentOf(notInJson).content.postDetails(address)).rejects.toBe(notInJson);
    expect(await contentOf({ result: [] }).content.postDetails(address)).toBeNull();
    await expect(contentOf({ result: [null] }).content.postDetails(address)).rejects.toMatchObject({
      kind: 'shape',
    });
    await expect(contentOf({}).content.postDetails(address)).rejects.toMatchObject({ kind: 'shape' });
    const failure = new UpstreamError('status', 'post.postdetails', { status: 501 });
    await expect(contentOf(failure).content.postDetails(address)).rejects.toBe(failure);
  });
});

describe('an address with a query', () => {
  it.each(['&amp;', '&#038;', '&#38;', '&#x26;', '&'])('is read where its `&` is written %s', async (and) => {
    const link = 'https://a.example/?a=1&b=2';
    const given = link.replace('&', and);
    const picture = `/a.jpg?a=1${and}b=2`;
    const image = 'https://img.example.com/a.jpg?a=1&b=2';
    const ad = { banner_type: 'Post-1', banner_img: picture, dest_url: given, pixel_url: given };
    expect(await contentOf([ad]).content.advertisements()).toMatchObject([
      { image, href: link, pixelUrl: link },
    ]);
    const author = { author_name: 'Ann', author_photo: picture, author_url: given };
    expect(await contentOf({ result: [author] }).content.author('7')).toMatchObject({
      photo: image,
      url: link,
    });
    const event = { ...awkwardEvent, event_banner: picture, event_link: given };
    expect(await contentOf({ eventData: [event] }).content.event('a')).toMatchObject({ banner: image, link });
    const post = { ...barePost, banner_img: picture, author_url: given, podcast_link: given };
    const found = await contentOf({ result: [post] }).content.postDetails(address);
    expect(found?.article).toMatchObject({ image, authorUrl: link });
    expect(found?.article.bodyHtml).toContain('href="https://a.example/?a=1&#x26;b=2"');
  });
});

describe('other subjects', () => {
  it('advertisements need a slot of ours and a picture, and show for half a second to two minutes, else for five seconds', async () => {
    expect(await contentOf(awkwardAdvertisements).content.advertisements()).toEqual([
      {
        slot: 'Home-2',
        image: 'https://img.example.com/ads/a.jpg',
        name: 'A',
        href: 'https://a.example/',
        seconds: 8,
      },
      {
        slot: 'Post-1',
        image: 'https://img.example.com/ads/b.jpg',
        name: 'Advertisement',
        href: null,
        seconds: 5,
      },
      { slot: 'Footer-3', image: 'https://img.example.com/ads/c.jpg', name: 'C', href: null, seconds: 120 },
      { slot: 'Home-2', image: 'https://img.example.com/ads/e.jpg', name: 'E', href: null, seconds: 0.5 },
    ]);
  });

  it('an event has safe HTML, a plain summary, and no image or link that may not be shown', async () => {
    expect(await contentOf({ eventData: [awkwardEvent] }).content.event('martech-live')).toEqual({
      id: '9',
      slug: 'martech-live',
      title: 'MarTech – Live',
      banner: null,
      location: 'London',
      date: '2026-01-01T00:00:00.000Z',
      endDate: null,
      descriptionHtml: '<h2 id="s-why">Why</h2><p>Because…</p>',
      summary: 'Why Because…',
      link: null,
      video: { provider: 'youtube', id: 'abcdefghijk' },
    });
  });

  it('an author goes by the display name, else by the name', async () => {
    const named = {
      author_name: 'ann',
      author_display_name: '',
      author_photo: '/a.jpg',
      author_description: '<p>Hi</p>',
    };
    expect(await contentOf({ result: [named] }).content.author('7')).toEqual({
      name: 'ann',
      description: 'Hi',
      photo: 'https://img.example.com/a.jpg',
    });
  });

  it('an author has a page elsewhere where the upstream names it', async () => {
    const named = { author_name: 'ann', author_url: 'https://ann.example/' };
    const author = (given: object) => contentOf({ result: [given] }).content.author('7');
    expect(await author(named)).toMatchObject({ url: 'https://ann.example/' });
    expect(await author({ ...named, author_url: 'javascript:alert(1)' })).not.toHaveProperty('url');
  });

  it('a tag without posts has empty lists, also where PHP writes an empty array', async () => {
    expect((await contentOf({ posts: [] }).content.tag('any')).news).toEqual([]);
    expect(await contentOf({ posts: {} }).content.tag('a')).toMatchObject({ news: [], learningCenter: [] });
  });

  it('posts of an author come with their totals, and the author as they name them', async () => {
    const post = { ...barePost, post_author: 'Ann', author_url: 'https://ann.example/' };
    const postData = [null, barePost, post];
    const { content, asked } = contentOf({
      posts: { postData, pagination: { totalItems: '11', totalPages: 2 } },
    });
    expect(await content.authorPosts({ id: '7', page: 2 })).toMatchObject({
      posts: [{ slug: barePost.post_name }, { slug: barePost.post_name }],
      totalItems: 11,
      totalPages: 2,
      author: { name: 'Ann', description: null, photo: null, url: 'https://ann.example/' },
    });
    expect(asked).toEqual(['/api/post/author/7?page=2']);
  });

  it('posts of an author are null where there is no such call or no post, and fail for anything else', async () => {
    const postsOf = (response: unknown) => contentOf(response).content.authorPosts({ id: '7', page: 1 });
    expect(await postsOf(new UpstreamError('not-found', 'post.author', { status: 404 }))).toBeNull();
    const pagination = { totalItems: 0, totalPages: 0 };
    expect(await postsOf({ posts: { postData: [], pagination } })).toBeNull();
    await expect(postsOf({})).rejects.toMatchObject({ kind: 'shape' });
    const failure = new UpstreamError('status', 'post.author', { status: 500 });
    await expect(postsOf(failure)).rejects.toBe(failure);
  });

  it('a category without a name goes by its slug', async () => {
    expect(
      await contentOf([{ cat_slug: 'news' }, { cat_name: 'x' }, { cat_slug: 'a.pdf' }]).content.categories(),
    ).toEqual([{ slug: 'news', name: 'news' }]);
  });
});
