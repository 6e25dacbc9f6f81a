import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildDemoCms } from './demo-cms.ts';
import { sampleContent, samplePost } from './sample-content.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const pictures = async () => null;
const app = buildDemoCms({ dataDir: null, clock: () => NOW, content: sampleContent(), pictures });

/** What every listed post carries; strange fields besides are the upstream's habit. */
const listed = z.looseObject({
  id: z.int().positive(),
  cat_slug: z.string(),
  post_name: z.string(),
  post_title: z.string(),
  post_content: z.string().startsWith('<p>'),
  post_author: z.string(),
  post_author_id: z.int().positive(),
  post_date: z.iso.datetime(),
  meta_description: z.string(),
  meta_keywords: z.string(),
  banner_img: z.string().regex(/^\/posts\/[a-z0-9-]+\.jpg$/),
  banner_show: z.union([z.literal(1), z.literal(0), z.literal('1'), z.literal('0')]),
  podcast_link: z.string().nullable(),
  reading_time: z.number(),
  post_status: z.literal('publish'),
});
const described = listed.extend({ p_content: z.string() });
const pagination = z.strictObject({
  page: z.number(),
  limit: z.number(),
  totalItems: z.number(),
  totalPages: z.number(),
});
const event = z.looseObject({
  event_id: z.int().positive(),
  event_title: z.string(),
  event_slug: z.string(),
  event_banner: z.string().regex(/^\/events\//),
  event_location: z.string(),
  event_date: z.iso.datetime(),
  event_desc: z.string(),
  event_link: z.string().nullable(),
  banner_show: z.union([z.number(), z.string()]),
  podcast_link: z.string().nullable(),
});
const events = z.strictObject({ responseData: z.strictObject({ eventData: z.array(event), pagination }) });
const topic = z.strictObject({ posts: z.strictObject({ postData: z.array(described), pagination }) });
const found = z.strictObject({
  success: z.literal(true),
  result: z.strictObject({ postData: z.array(described), pagination }),
});
const lists = (...names: string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.array(listed).length(6)])));

async function get<T>(path: string, shape: z.ZodType<T>): Promise<T> {
  const response = await app.inject(path);
  expect(response.statusCode).toBe(200);
  return shape.parse(response.json());
}

const TAG_LISTS = 'news featured quickbytes podcasts interview futureready guestauthor learningcenter';
const tag = z.strictObject({
  posts: z.strictObject(Object.fromEntries(TAG_LISTS.split(' ').map((name) => [name, z.array(described)]))),
});

const CALLS: [path: string, shape: z.ZodType][] = [
  ['/api/post/latestPost', lists('newsData', 'quickByteData')],
  ['/api/post/leadership', lists('podcastData', 'inteviewData', 'guestPostData')],
  ['/api/post/featured', lists('articleData', 'learningData')],
  ['/api/post/homelatest', z.array(listed).length(6)],
  ['/api/post/homelatestnews', z.array(listed).length(8)],
  ['/api/post/homepopular', z.array(listed).length(8)],
  ['/api/post/homeinterview', z.array(listed).length(8)],
  ['/api/post/homequickbyte', z.array(listed).length(7)],
  ['/api/post/homearticle', z.array(listed).length(6)],
  ['/api/post/homepodcast', z.array(listed).length(4)],
  ['/api/post/latest', z.array(listed).length(10)],
  ['/api/post/tag/analytics', tag],
  ['/api/post/topic/news', topic],
  ['/api/post/topic/news/analytics?page=1&limit=10', topic],
  ['/api/post/asidetopic/news', z.strictObject({ result: z.array(described).length(8) })],
  [
    '/api/post/postdetails/news/news-piece-0',
    z.strictObject({ result: z.array(listed.extend({ post_content: z.string() })).length(1) }),
  ],
  ['/api/post/search/all/piece?page=2', found],
  [
    '/api/author/1',
    z.strictObject({
      result: z
        .array(
          z.looseObject({
            author_name: z.string(),
            author_display_name: z.literal('Ada Quill'),
            author_description: z.string(),
            author_photo: z.literal('/authors/ada-quill.jpg'),
          }),
        )
        .length(1),
    }),
  ],
  ['/api/category/all', z.array(z.looseObject({ cat_slug: z.string(), cat_name: z.string() })).length(8)],
  [
    '/api/category/subcatlist',
    z.array(z.looseObject({ id: z.number(), subcat_slug: z.string(), subcat_name: z.string() })).length(3),
  ],
  [
    '/api/advertisement/get_active',
    z
      .array(
        z.looseObject({
          banner_type: z.enum(['Post-1', 'Home-2', 'Footer-3']),
          banner_img: z.string().regex(/^\/ads\//),
          banner_name: z.string(),
          dest_url: z.url(),
          duration_time: z.number().nullable(),
        }),
      )
      .length(3),
  ],
  ['/api/event/totalevents?page=1', events],
  ['/api/event/upcoming_events', events],
  ['/api/event/past_events', events],
  ['/api/event/eventdetails/event-3', z.strictObject({ eventData: z.array(event).length(1) })],
  ['/lookup?format=json', z.strictObject({ ip: z.ipv4() })],
];

describe('the calls of the specification', () => {
  it.each(CALLS)('serves %s in its shape', async (path, shape) => {
    await get(path, shape);
  });

  it('opens every post of every list through postdetails', async () => {
    const entries = new Map<
      string,
      { cat_slug: string; post_name: string; id: number; post_title: string }
    >();
    const collect = (value: unknown): void => {
      const post = listed.safeParse(value);
      if (post.success) entries.set(`${post.data.cat_slug}/${post.data.post_name}`, post.data);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    };
    for (const [path] of CALLS) collect((await app.inject(path)).json());
    expect(entries.size).toBeGreaterThan(50);
    for (const [address, { id, post_title }] of entries) {
      const { result } = await get(
        `/api/post/postdetails/${address}`,
        z.object({ result: z.array(z.unknown()) }),
      );
      expect(result).toEqual([expect.objectContaining({ id, post_title })]);
    }
  });

  it('responds to unknown posts, events and authors with empty lists', async () => {
    expect((await app.inject('/api/post/postdetails/featured/news-piece-0')).json()).toEqual({ result: [] });
    expect((await app.inject('/api/event/eventdetails/nowhere')).json()).toEqual({ eventData: [] });
    expect((await app.inject('/api/author/99')).json()).toEqual({ result: [] });
  });

  it('names the author of a post by the id that opens the author', async () => {
    const post = (await app.inject('/api/post/postdetails/news/news-piece-1')).json();
    expect(post).toMatchObject({ result: [{ post_author: 'The Desk', post_author_id: 2 }] });
    const author = (await app.inject('/api/author/2')).json();
    expect(author).toMatchObject({ result: [{ author_display_name: 'The Desk', author_photo: null }] });
  });

  it('writes titles and descriptions as HTML', async () => {
    const posts = [samplePost({ slug: 'ampersand', title: 'Research & development', deck: 'a < b' })];
    const other = buildDemoCms({ dataDir: null, content: sampleContent({ posts }), pictures });
    expect((await other.inject('/api/post/latest')).json()).toMatchObject([
      { post_title: 'Research &amp; development', post_content: '<p>a &lt; b</p>' },
    ]);
  });
});

describe('the front page', () => {
  it('leads with three posts of three sections, all with a banner', async () => {
    const posts = await get('/api/post/homelatest', z.array(listed));
    expect(new Set(posts.slice(0, 3).map((post) => post.cat_slug)).size).toBe(3);
    expect(posts.map((post) => Number(post.banner_show))).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('paging', () => {
  it('gives each post of a topic once, newest first, over pages that add up to the totals', async () => {
    const pages = [];
    for (const page of [1, 2, 3, 4])
      pages.push((await get(`/api/post/topic/news?page=${page}&limit=5`, topic)).posts);
    expect(pages.map(({ postData }) => postData.length)).toEqual([5, 5, 3, 0]);
    expect(pages[0]?.pagination).toEqual({ page: 1, limit: 5, totalItems: 13, totalPages: 3 });
    const all = pages.flatMap(({ postData }) => postData);
    expect(new Set(all.map(({ id }) => id)).size).toBe(13);
    expect(all.map((post) => post.post_date)).toEqual(
      all
        .map((post) => post.post_date)
        .toSorted()
        .reverse(),
    );
  });

  it.each(['page=0', 'page=-1', 'page=x', ''])('takes ?%s as page 1 of 10 a page', async (query) => {
    const { posts } = await get(`/api/post/topic/news?${query}`, topic);
    expect(posts.pagination).toMatchObject({ page: 1, limit: 10 });
  });

  it('never gives more than 100 a page', async () => {
    expect((await get('/api/post/topic/news?limit=5000', topic)).posts.pagination.limit).toBe(100);
  });

  it('gives twenty search results a page', async () => {
    const { pagination, postData } = (await get('/api/post/search/all/piece?page=6', found)).result;
    expect(pagination).toEqual({ page: 6, limit: 20, totalItems: 104, totalPages: 6 });
    expect(postData).toHaveLength(4);
  });

  it('narrows a topic to a sub-category', async () => {
    const { posts } = await get('/api/post/topic/news/commerce', topic);
    expect(posts.postData.map(({ post_name }) => post_name)).toEqual([
      'news-piece-1',
      'news-piece-4',
      'news-piece-7',
      'news-piece-10',
    ]);
  });

  it('responds to an unknown topic and an unknown tag with nothing', async () => {
    expect((await get('/api/post/topic/gossip', topic)).posts).toMatchObject({
      postData: [],
      pagination: { totalItems: 0, totalPages: 0 },
    });
    expect(Object.values((await get('/api/post/tag/gossip', tag)).posts).flat()).toEqual([]);
  });

  it('gives events to come from the nearest on, then past ones from the latest back', async () => {
    const pages = [];
    for (const page of [1, 2, 3])
      pages.push((await get(`/api/event/totalevents?page=${page}`, events)).responseData);
    expect(pages.map(({ eventData }) => eventData.length)).toEqual([12, 12, 2]);
    const names = pages.flatMap(({ eventData }) => eventData.map(({ event_slug }) => event_slug));
    expect(names.slice(0, 2)).toEqual(['event-10', 'event-11']);
    expect(names.slice(15, 18)).toEqual(['event-25', 'event-9', 'event-8']);
    expect(new Set(names).size).toBe(26);
  });
});

describe('an address that is no call', () => {
  it.each(['/none', '/api/post/none', '/'])('%s is a problem of status 404', async (path) => {
    const { statusCode, headers, json } = await app.inject(path);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(json()).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404 });
  });
});
