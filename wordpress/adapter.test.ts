import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type RecordedResponse, recorded, startFakeWordpress } from '../tests/fixtures/recorded-wordpress.ts';
import { startConnectProxy } from '../tests/integration/upstream/connect-proxy.ts';
import { type AdapterOptions, startAdapter } from './adapter.ts';
import { createContentReader } from './content-reader.ts';
import { createEvents } from './events.ts';
import { contentRedirects } from './redirects.ts';
import { createRestClient } from './rest-client.ts';
import { openStore } from './submission-and-view-store.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'adapter-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function start(
  respond?: Parameters<typeof startFakeWordpress>[0],
  options: Partial<AdapterOptions> = {},
) {
  const wordpress = await startFakeWordpress(respond);
  const warnings: string[] = [];
  const adapter = await startAdapter({
    wordpressUrl: wordpress.url,
    sections: '',
    submissionsUrl: null,
    authorization: null,
    dataDir: mkdtempSync(join(dir, 'data-')),
    optOutPath: '/api/optout/add',
    timeoutMs: 20_000,
    host: '127.0.0.1',
    port: 0,
    warn: (line) => void warnings.push(line),
    ...options,
  });
  opened.push(wordpress, adapter);
  return { wordpress, adapter, warnings, ask: (path: string) => fetch(`${adapter.origin}/api/${path}`) };
}

const failing = { status: 503, headers: {}, body: '<h1>Briefly unavailable' };

describe('a WordPress that cannot be read', () => {
  const html = (body: string, status = 200) => ({ status, headers: {}, body });
  const closed = (status: number) => ({ status, headers: {}, body: { code: 'rest_forbidden' } });
  const notices = '<br /><b>Notice</b>: Undefined index in <b>plugin.php</b>{"namespaces":["wp/v2"]}';
  const elsewhere = { status: 301, headers: { location: 'https://www.example.com/' }, body: '' };

  it.each<[string, string, (target: string) => RecordedResponse | null]>([
    ['that is none', 'there is no REST API of WordPress (status 200, no JSON)', () => html('<h1>Shop')],
    ['without content', 'there is no REST API of WordPress (status 404, no JSON)', () => html('', 404)],
    [
      'with notices of PHP before its JSON',
      'there is no REST API of WordPress (status 200, no JSON)',
      () => html(notices),
    ],
    [
      'with a closed REST API',
      'its REST API is closed (status 401)',
      (target) => (target === '/' ? null : closed(401)),
    ],
    [
      'with closed posts',
      'its REST API is closed (status 403)',
      (target) => (target.includes('wp/v2/posts') ? closed(403) : null),
    ],
    [
      'whose lists come without totals',
      'a list came without X-WP-Total',
      (target) => (target.includes('wp/v2/posts') ? { status: 200, headers: {}, body: [] } : null),
    ],
    [
      'at another host',
      'it redirects to another host, https://www.example.com',
      (target) => (target === '/' ? null : elsewhere),
    ],
  ])('refuses one %s', async (_name, line, respond) => {
    await expect(start(respond)).rejects.toThrow(`: ${line}`);
  });
});

describe('a WordPress that fails', () => {
  it('stops no start, and is told in plain words, where a challenge for browsers keeps the adapter out', async () => {
    const challenge = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: '<h1>Just a moment' };
    const { warnings, wordpress } = await start(() => challenge);
    expect(warnings).toEqual([
      `WordPress at ${wordpress.url}: Cloudflare wants a browser to pass its challenge (status 403): let requests for the REST API through there`,
    ]);
  });

  it('is told once, and again when it has responded meanwhile', async () => {
    let response: RecordedResponse | null = null;
    const { ask, warnings, wordpress } = await start(() => response);
    response = failing;
    for (const _ of [1, 2]) expect((await ask('post/latest')).status).toBe(502);
    const line = `WordPress at ${wordpress.url}: status 503, no JSON`;
    expect(warnings).toEqual([line]);
    response = null;
    expect((await ask('post/latest')).status).toBe(200);
    response = failing;
    expect((await ask('post/latest')).status).toBe(502);
    expect(warnings).toEqual([line, line]);
  });

  it('stops no start, and is asked again with each call', async () => {
    let response: RecordedResponse | null = failing;
    const { ask, warnings, wordpress } = await start(() => response);
    expect(warnings).toEqual([`WordPress at ${wordpress.url}: status 503, no JSON`]);
    expect((await ask('post/latest')).status).toBe(502);
    response = null;
    expect((await ask('post/latest')).status).toBe(200);
  });

  it('is found where its API is once its permalinks were turned off', async () => {
    let isPlain = false;
    const { ask } = await start((target) => {
      const [, path] = /^\/\?rest_route=\/(?:wp\/v2\/)?(\w*)&/.exec(target) ?? [];
      if (path !== undefined) return recorded({ '': 'index', posts: 'blocks' }[path] ?? path);
      const notFound = { status: 404, headers: {}, body: '<h1>Not found' };
      return isPlain && target.startsWith('/wp-json/') ? notFound : null;
    });
    isPlain = true;
    expect((await ask('post/latest')).status).toBe(502);
    await expect.poll(async () => (await ask('post/latest')).status).toBe(200);
  });

  it('is looked for once where a firewall in front of it has no page for what readers search for', async () => {
    const requests: string[] = [];
    const { ask } = await start((target) => {
      requests.push(target);
      return target.includes('search=') ? { status: 404, headers: {}, body: '<h1>Not found' } : null;
    });
    for (const term of ['a', 'b', 'c']) expect((await ask(`post/search/all/${term}`)).status).toBe(502);
    await expect.poll(() => requests.filter((target) => target === '/').length).toBe(2);
    for (const term of ['d', 'e', 'f']) await ask(`post/search/all/${term}`);
    expect(requests.filter((target) => target === '/')).toHaveLength(2);
  });

  it('is one whose list is no list, or comes without its totals', async () => {
    const { ask } = await start((target) =>
      target.includes('per_page=11')
        ? { status: 200, headers: { 'x-wp-total': 'many', 'x-wp-totalpages': '-1' }, body: [] }
        : null,
    );
    expect((await ask('post/latest')).status).toBe(502);
    const other = await start((target) =>
      target.includes('posts?') && !target.includes('per_page=1&')
        ? { status: 200, headers: {}, body: { no: 'list' } }
        : null,
    );
    expect((await other.ask('post/latest')).status).toBe(502);
  });
});

describe('a WordPress that differs', () => {
  const idsOf = async (response: Response) => {
    const { posts } = await response.json();
    return [posts.postData.map(({ id }: { id: number }) => id), posts.pagination];
  };
  const [post] = z.array(z.looseObject({ id: z.number() })).parse(recorded('classic').body);

  it('has its REST API where the front page says, whatever prefix a plugin gave it', async () => {
    const link =
      '<https://example.org/feed/>; rel="alternate", <https://example.org/api/>; rel="https://api.w.org/"';
    const { ask, wordpress } = await start((target) => {
      if (target === '/') return { status: 200, headers: { link }, body: '' };
      const { status, headers, body } = recorded('blocks');
      if (target.startsWith('/api/?')) return recorded('index');
      if (target.startsWith('/api/wp/v2/posts')) return { status, headers, body };
      return target.startsWith('/api/') ? null : { status: 404, headers: {}, body: '' };
    });
    expect((await ask('post/latest')).status).toBe(200);
    expect(wordpress.requests.filter((path) => !path.startsWith('/api/'))).toEqual(['/']);
  });

  it('has its REST API where it usually is, also where its front page does not respond', async () => {
    const { ask } = await start((target, { socket }) => {
      if (target === '/') socket.destroy();
      return null;
    });
    expect((await ask('post/latest')).status).toBe(200);
  });

  it('has links to its posts by nothing but their number', async () => {
    const numbered = {
      ...post,
      link: `https://example.org/blog/${post?.id}/`,
      content: { protected: false },
    };
    const rendered = `<a href="/blog/${post?.id}/">A</a>`;
    const { ask } = await start((target) => {
      const isRead = target.includes('slug=classic-post');
      const body = [isRead ? { ...numbered, content: { rendered, protected: false } } : numbered];
      return isRead || target.includes(`include=${post?.id}&`) ? { ...recorded('classic'), body } : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    expect(result).toMatchObject([{ post_content: '<a href="/news/classic-post">A</a>' }]);
  });

  it('lost posts between two pages: the page that is gone has none', async () => {
    const { ask } = await start((target) => {
      if (!target.includes('wp/v2/posts')) return null;
      if (/[?&]page=[2-9]/.test(target)) return recorded('beyond');
      return { status: 200, headers: { 'x-wp-total': '101', 'x-wp-totalpages': '2' }, body: [post] };
    });
    expect((await idsOf(await ask('post/topic/news?page=3&limit=10')))[0]).toEqual([]);
    expect((await idsOf(await ask('post/topic/news/privacy?page=1')))[0]).toEqual([post?.id]);
  });

  it('has each post on one page of a sub-category, whatever the order of those of one moment', async () => {
    const posts = Array.from({ length: 30 }, (_, id) => ({ ...post, id: id + 1, slug: `p-${id + 1}` }));
    let turn = 0;
    const { ask } = await start((target) => {
      if (!target.includes('wp/v2/posts')) return null;
      const [, ids] = /include=([\d,]+)/.exec(target) ?? [];
      turn += 1;
      const body = ids
        ? ids.split(',').flatMap((id) => posts.filter((each) => String(each.id) === id))
        : [...posts.slice(turn), ...posts.slice(0, turn)];
      return { status: 200, headers: { 'x-wp-total': '30', 'x-wp-totalpages': '1' }, body };
    });
    const pages = [];
    for (const page of [1, 2, 3])
      pages.push((await idsOf(await ask(`post/topic/news/privacy?page=${page}&limit=10`)))[0]);
    expect(pages.flat()).toEqual(posts.map(({ id }) => id).reverse());
  });

  it('shows posts whose author and picture it does not: without a name, with the first picture of the body', async () => {
    const hidden = {
      author: [{ code: 'rest_user_invalid_id' }],
      'wp:featuredmedia': [{ code: 'rest_forbidden' }],
    };
    const body = { rendered: '<p><img src="/wp-content/a.jpg"></p>', protected: false };
    const { ask } = await start((target) =>
      target.includes('wp/v2/posts')
        ? {
            ...recorded('classic'),
            body: [{ ...post, content: body, _embedded: hidden }, { id: 'broken' }, null],
          }
        : null,
    );
    expect(await (await ask('post/latest')).json()).toMatchObject([
      { id: post?.id, post_author: null, banner_img: '/site/wp-content/a.jpg', banner_show: 0 },
    ]);
  });

  it('has the author and the picture of its posts where a plugin embeds nothing, if they may be read', async () => {
    const bare = { ...post, author: 2, featured_media: 7, _embedded: undefined, yoast_head_json: undefined };
    const totals = { 'x-wp-total': '1', 'x-wp-totalpages': '1' };
    const media = [{ id: 7, source_url: '/wp-content/featured.jpg' }];
    const users = [{ id: 2, name: 'Ines Halloran' }];
    const respond = (target: string) => {
      if (target.includes('wp/v2/posts')) return { status: 200, headers: totals, body: [bare] };
      if (target.includes('wp/v2/users?include=2&')) return { status: 200, headers: totals, body: users };
      return target.includes('wp/v2/media?include=7&') ? { status: 200, headers: totals, body: media } : null;
    };
    const { ask } = await start(respond);
    const shown = {
      post_author: 'Ines Halloran',
      banner_img: '/site/wp-content/featured.jpg',
      banner_show: 1,
    };
    expect(await (await ask('post/latest')).json()).toMatchObject([shown]);
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    expect(result).toMatchObject([shown]);
    const closed = await start((target) =>
      target.includes('wp/v2/users') ? { status: 401, headers: {}, body: '' } : respond(target),
    );
    expect(await (await closed.ask('post/latest')).json()).toMatchObject([{ ...shown, post_author: null }]);
  });

  it.each<[string, RecordedResponse]>([
    ['sends elsewhere', { status: 302, headers: { location: '/' }, body: '' }],
    ['hides behind a page', { status: 200, headers: {}, body: '<h1>Forbidden' }],
    ['leaves nothing of', { status: 200, headers: {}, body: [] }],
  ])('has authors by their posts where a plugin %s its users', async (_name, users) => {
    const { ask } = await start((target) => {
      const author = [{ id: 2, name: 'Ines Halloran' }];
      const posts = { ...recorded('classic'), body: [{ ...post, _embedded: { author } }] };
      return target.includes('/users/') ? users : target.includes('author=2') ? posts : null;
    });
    expect(await (await ask('author/2')).json()).toMatchObject({
      result: [{ id: 2, author_display_name: 'Ines Halloran' }],
    });
  });

  it('asks for the posts of many links in several requests, none of which is too long for a server', async () => {
    const slugs = Array.from({ length: 90 }, (_, number) => `${'д'.repeat(30)}-${number}`);
    const links = [...slugs, 'a'.repeat(9_000)].map((slug) => `<a href="/${slug}/">A</a>`).join('');
    const { ask, wordpress } = await start((target) => {
      const isRead = target.includes('slug=classic-post');
      const linked = slugs.filter((slug) => target.includes(`${slug},`) || target.includes(`${slug}&`));
      const body = isRead
        ? [{ ...post, content: { rendered: links, protected: false } }]
        : linked.map((slug, id) => ({ ...post, id, slug }));
      return isRead || linked.length > 0 ? { ...recorded('classic'), body } : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    const content = String(result[0].post_content);
    for (const slug of slugs) expect(content).toContain(`href="/news/${encodeURIComponent(slug)}"`);
    for (const target of wordpress.requests) expect(encodeURIComponent(target).length).toBeLessThan(8_000);
  });

  /** What a body with links becomes. `found`: items by what a request for them contains. */
  async function linked(rendered: string, found: Record<string, object[]> = {}) {
    const { ask, wordpress } = await start((target) => {
      if (target.includes('slug=classic-post'))
        return { ...recorded('classic'), body: [{ ...post, content: { rendered, protected: false } }] };
      const body = Object.entries(found).find(([part]) => target.includes(part))?.[1];
      if (!body && !/wp\/v2\/(posts|users|media)/.test(target)) return null;
      const totals = { 'x-wp-total': String(body?.length ?? 0), 'x-wp-totalpages': '1' };
      return { status: 200, headers: totals, body: body ?? [] };
    });
    wordpress.requests.splice(0);
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    return { content: String(result[0].post_content), requests: wordpress.requests };
  }

  it('looks up all links of a body, a hundred in each request', async () => {
    const slugs = Array.from({ length: 250 }, (_, number) => `p-${number}`);
    const links = slugs.map((slug) => `<a href="/${slug}/">A</a>`).join('');
    const { content, requests } = await linked(links, {
      'slug=p-0,': slugs.slice(0, 100).map((slug, id) => ({ ...post, id, slug })),
      'slug=p-100,': slugs.slice(100, 200).map((slug, id) => ({ ...post, id, slug })),
      'slug=p-200,': slugs.slice(200).map((slug, id) => ({ ...post, id, slug })),
    });
    for (const slug of slugs) expect(content).toContain(`href="/news/${slug}"`);
    // A page of another order would repeat some, and miss others.
    expect(requests.filter((target) => /slug=p-.*orderby=id/.test(target))).toHaveLength(3);
  });

  it('has links to authors at the site: those that posts have told, others of the same folder, and by number', async () => {
    const { content, requests } = await linked(
      '<a href="https://example.org/author/ines-halloran/">A</a><a href="/author/ada/page/2">B</a><a href="/author/nobody/">C</a><a href="/?author=7">D</a>',
      { 'wp/v2/users?slug=ada,nobody': [{ id: 9, link: 'https://example.org/author/ada/' }] },
    );
    expect(content).toMatch(
      /^<a href="\/author\/2">A<\/a><a href="\/author\/9">B<\/a><a href="http:[^"]*\/author\/nobody\/">C<\/a><a href="\/author\/7">D<\/a>$/,
    );
    expect(requests.filter((target) => target.includes('wp/v2/users'))).toHaveLength(1);
  });

  it('has links to pages of attachments at their files, and those to other pages around a picture as they are', async () => {
    const img = '<img src="/a-150x150.jpg">';
    const { content } = await linked(
      `<a href="/photo/">${img}</a><a href="/?attachment_id=12">B</a><a href="/figures/" rel="attachment wp-att-13">C</a><a href="/about/">${img}</a>`,
      {
        'wp/v2/media?slug=photo,figures,about': [
          { id: 11, slug: 'photo', source_url: 'https://example.org/wp-content/a.jpg' },
          { id: 13, slug: 'figures', source_url: 'https://example.org/wp-content/figures.pdf' },
        ],
        'wp/v2/media?include=12': [{ id: 12, slug: 'b', source_url: 'https://example.org/wp-content/b.png' }],
      },
    );
    const links = [...content.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
      href.replace(/^http:\/\/[^/]*/, 'https://example.org'),
    );
    expect(links).toEqual([
      '/site/wp-content/a.jpg',
      '/site/wp-content/b.png',
      'https://example.org/wp-content/figures.pdf',
      'https://example.org/about/',
    ]);
  });

  it('has links to its front page, lists and feeds at the site, whatever view they ask for', async () => {
    const paths = {
      '/': '/',
      '/page/2/': '/',
      '/feed/': '/feed.xml',
      '/?feed=rss2': '/feed.xml',
      '/category/interviews/page/3/': '/topic/interview',
      '/category/interviews/feed/': '/topic/interview/feed.xml',
      '/category/interviews/founders/?utm_source=x': '/tag/founders',
      '/category/founders/': '/tag/founders',
      '/?cat=4': '/topic/podcasts',
      '/tag/rare/': '/tag/rare',
      '/?tag=rare': '/tag/rare',
      '/?toString=1': 'https://example.org/?toString=1',
      '/?s=two%20words': '/search/all/two%20words',
      '/search/words/': '/search/all/words',
    };
    const { content } = await linked(
      Object.keys(paths)
        .map((path) => `<a href="https://example.org${path}">A</a>`)
        .join(''),
    );
    const hrefs = [...content.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(hrefs.map((href) => href.replace(/^http:\/\/[^/]*/, 'https://example.org'))).toEqual(
      Object.values(paths),
    );
  });

  const OTHERS = { home: 'https://example.org', url: 'https://example.org' };
  const head =
    '<title>A</title><meta name="robots" content="index"/><meta name="description" content="It&#039;s so"/>';
  it.each<[string, object, string, RecordedResponse]>([
    ['All in One SEO', { aioseo_head_json: { description: "It's so" } }, 'none/v1', failing],
    ['SEOPress', {}, 'seopress/v1', { status: 200, headers: {}, body: { data: { description: "It's so" } } }],
    ['Rank Math', {}, 'rankmath/v1', { status: 200, headers: {}, body: { success: true, head } }],
  ])('has the description of a post that %s has', async (_name, fields, namespace, response) => {
    let described = response;
    const routes = { [`/${namespace}/getHead`]: { namespace } };
    const { ask } = await start((target) => {
      if (target.startsWith('/wp-json/?'))
        return { status: 200, headers: {}, body: { ...OTHERS, namespaces: ['wp/v2', namespace], routes } };
      if (target.startsWith(`/wp-json/${namespace}/`)) return described;
      return target.includes('slug=classic-post')
        ? { ...recorded('classic'), body: [{ ...post, ...fields }] }
        : null;
    });
    const read = async () => (await (await ask('post/postdetails/news/classic-post')).json()).result[0];
    expect(await read()).toMatchObject({ meta_description: "It's so" });
    described = failing;
    expect(await read()).toMatchObject({ post_name: 'classic-post' });
  });

  it('is asked for no description that Rank Math does not tell', async () => {
    const { ask, wordpress } = await start((target) =>
      target.startsWith('/wp-json/?')
        ? { ...recorded('index'), body: { ...OTHERS, namespaces: ['wp/v2', 'rankmath/v1'], routes: [] } }
        : null,
    );
    expect((await ask('post/postdetails/news/classic-post')).status).toBe(200);
    expect(wordpress.requests.filter((target) => target.startsWith('/wp-json/rankmath/'))).toEqual([]);
  });

  it('has links to its posts where a plugin takes the base of categories and tags away, or their links', async () => {
    const terms = [
      { id: 2, slug: 'a', name: 'A', parent: 0, count: 1, link: 'https://example.org/blog/a/' },
      { id: 3, slug: 'b', name: 'B', parent: 2, count: 1 },
    ];
    const rendered = '<a href="/blog/a/">A</a><a href="/blog/p/">B</a><a href="/blog/">C</a>';
    const { ask } = await start((target) => {
      if (target.includes('/wp-json/?'))
        return { ...recorded('index'), body: { home: 'https://example.org/blog', namespaces: ['wp/v2'] } };
      if (/wp\/v2\/(categories|tags)/.test(target)) return { ...recorded('categories'), body: terms };
      if (target.includes('slug=p&')) return { ...recorded('classic'), body: [{ ...post, slug: 'p' }] };
      return target.includes('slug=classic-post')
        ? { ...recorded('classic'), body: [{ ...post, content: { rendered, protected: false } }] }
        : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    expect(result[0].post_content).toBe('<a href="/tag/a">A</a><a href="/news/p">B</a><a href="/">C</a>');
  });

  it('shows posts with links and pictures at no address', async () => {
    const body = {
      rendered: '<a href="http://[bad">A</a><a href="//">B</a><img src="http://">',
      protected: false,
    };
    const { ask } = await start((target) =>
      target.includes('slug=classic-post')
        ? { ...recorded('classic'), body: [{ ...post, content: body }] }
        : null,
    );
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    expect(result).toMatchObject([{ post_content: expect.stringContaining('>A</a>') }]);
  });

  it('has links to categories at the site, without their last slash and however their letters are written', async () => {
    const link = 'https://example.org/category/%d8%a3/';
    const category = { id: 2, slug: '%d8%a3', name: 'أ', parent: 0, count: 1, link };
    const rendered = ['%d8%a3', 'أ/'].map((name) => `<a href="/category/${name}">A</a>`).join('');
    const { ask } = await start((target) => {
      if (target.includes('/categories')) return { ...recorded('categories'), body: [category] };
      const body = [{ ...post, content: { rendered, protected: false } }];
      return target.includes('slug=classic-post') ? { ...recorded('classic'), body } : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    const address = '<a href="/tag/%D8%A3">A</a>';
    expect(result).toMatchObject([{ post_content: address + address }]);
  });

  it.each<[string, RecordedResponse, number]>([
    [
      'has taken tags out of its REST API',
      { status: 404, headers: {}, body: { code: 'rest_no_route' } },
      200,
    ],
    ['has closed its tags', { status: 401, headers: {}, body: { code: 'rest_forbidden' } }, 200],
    ['fails for its tags alone', failing, 502],
  ])('has its posts while it %s', async (_, response, status) => {
    const { ask } = await start((target) => (target.includes('wp/v2/tags') ? response : null));
    for (const path of [
      'post/latest',
      'post/topic/news',
      'post/postdetails/news/classic-post',
      'category/all',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    for (const path of ['category/subcatlist', 'post/tag/none'])
      expect([path, (await ask(path)).status]).toEqual([path, status]);
  });

  it('shows nothing of a post behind a password, whatever asks for it', async () => {
    const { ask } = await start((target) => (target.includes('wp/v2/posts') ? recorded('protected') : null));
    for (const path of ['post/latest', 'post/homepopular', 'post/topic/news', 'post/topic/news/privacy'])
      expect(JSON.stringify(await (await ask(path)).json())).not.toContain('behind-a-password');
    const details = await ask('post/postdetails/news/behind-a-password');
    expect(await details.json()).toEqual({ result: [] });
  });
});

describe('the redirects of a WordPress', () => {
  async function redirects(respond?: Parameters<typeof startFakeWordpress>[0], folder = '') {
    const wordpress = await startFakeWordpress(respond);
    const client = createRestClient(null, 20_000);
    opened.push(wordpress, client);
    const content = createContentReader(wordpress.url + folder, client, '');
    const lines: string[] = [];
    for await (const pair of contentRedirects(content)) lines.push(pair.join(' '));
    return lines;
  }
  const totals = { 'x-wp-total': '1', 'x-wp-totalpages': '1' };

  it('are those of posts, lists, feeds and authors', async () => {
    const users = [
      { id: 7, link: 'https://example.org/writers/ada/' },
      { id: 3, link: 'https://example.org/author/7/' },
    ];
    const lines = await redirects((target) =>
      target.includes('wp/v2/users') ? { status: 200, headers: totals, body: users } : null,
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        '/feed/ /feed.xml',
        '/page/* /',
        '/2026/02/every-block/ /featured/every-block',
        '/category/interviews/ /topic/interview',
        '/category/interviews/feed/ /topic/interview/feed.xml',
        '/category/interviews/* /topic/interview',
        '/category/interviews/founders/* /tag/founders',
        '/writers/ada/ /author/7',
        '/?author=7 /author/7',
        '/?cat=4 /topic/podcasts',
        expect.stringMatching(/^\/\?p=\d+ \/featured\/every-block$/),
        '/writers/ada/* /author/7',
      ]),
    );
    // The site has another author there.
    expect(lines.join('\n')).not.toContain('/author/7/');
  });

  it.each([
    ['https://example.org/tag/analytics/', ['/tag/analytics/* /tag/analytics']],
    [
      'https://example.org/themes/analytics/',
      ['/themes/analytics/ /tag/analytics', '/themes/analytics/* /tag/analytics'],
    ],
    ['https://example.org/?tag=analytics', ['/?tag=analytics /tag/analytics']],
    ['https://example.org/analytics/', ['/analytics/ /tag/analytics']],
  ])('have further pages of a tag at %s', async (link, expected) => {
    const tag = { id: 9, slug: 'analytics', name: 'Analytics', link };
    const lines = await redirects((target) =>
      target.includes('wp/v2/tags') ? { status: 200, headers: totals, body: [tag] } : null,
    );
    expect(lines.filter((line) => line.endsWith(' /tag/analytics'))).toEqual(expected);
  });

  it('have the authors of posts where its users are closed, and nothing below a category at the root', async () => {
    const [category] = z.array(z.looseObject({ slug: z.string() })).parse(recorded('categories').body);
    const lines = await redirects((target) => {
      if (target.includes('wp/v2/users'))
        return { status: 401, headers: {}, body: { code: 'rest_forbidden' } };
      if (!target.includes('wp/v2/categories')) return null;
      return {
        status: 200,
        headers: totals,
        body: [{ ...category, slug: 'news', link: 'https://example.org/news/' }],
      };
    });
    expect(lines).toContain('/author/ines-halloran/ /author/2');
    expect(lines).toContain('/news/ /topic/news');
    expect(lines).not.toContain('/news/* /topic/news');
  });

  it('begin with the folder that it is in', async () => {
    const index = { home: 'https://example.org/blog', url: '', namespaces: ['wp/v2'] };
    const lines = await redirects((target) => {
      if (target.startsWith('/blog/wp-json/?')) return { ...recorded('index'), body: index };
      return target.includes('/wp-json/?') ? { status: 404, headers: {}, body: '' } : null;
    }, '/blog');
    expect(lines).toEqual(
      expect.arrayContaining([
        '/blog/ /',
        '/blog/feed/ /feed.xml',
        '/blog/page/* /',
        '/blog/?cat=4 /topic/podcasts',
      ]),
    );
  });
});

describe('pictures', () => {
  it('are those of the oldest files of the media library and of featured images too, wherever they are', async () => {
    const [post] = z.array(z.looseObject({ id: z.number() })).parse(recorded('classic').body);
    const featured = { 'wp:featuredmedia': [{ source_url: 'https://localhost:82/b.jpg' }] };
    const { ask, adapter } = await start((target) => {
      if (target.includes('order=asc'))
        return { status: 200, headers: {}, body: [{ source_url: 'https://localhost:81/a.jpg' }] };
      return target.includes('wp/v2/posts')
        ? { ...recorded('classic'), body: [{ ...post, _embedded: featured }] }
        : null;
    });
    const statusOf = async (path: string) => (await fetch(adapter.imageHost + path)).status;
    expect([await statusOf('/localhost:81/a.jpg'), await statusOf('/localhost:82/b.jpg')]).toEqual([
      502, 404,
    ]);
    expect(await (await ask('post/latest')).json()).toMatchObject([{ banner_img: '/localhost:82/b.jpg' }]);
    expect(await statusOf('/localhost:82/b.jpg')).toBe(502);
  });

  it('are passed on whatever their size: the site bounds it', async () => {
    const size = 17 * 1024 * 1024;
    const picture = { status: 200, headers: { 'content-type': 'image/jpeg' }, body: Buffer.alloc(size) };
    const { adapter } = await start((target) => (target.includes('large.jpg') ? picture : null));
    const response = await fetch(`${adapter.imageHost}/site/large.jpg`);
    expect((await response.arrayBuffer()).byteLength).toBe(size);
  });

  it.each(['HTTPS_PROXY', 'HTTP_PROXY'])('of other hosts are asked for through %s', async (name) => {
    const proxy = await startConnectProxy(0);
    opened.push(proxy);
    vi.stubEnv(name, proxy.url);
    const { adapter } = await start();
    vi.unstubAllEnvs();
    await fetch(`${adapter.origin}/media/i0.wp.com/example.org/a.png`);
    expect(proxy.tunnels).toEqual(['i0.wp.com:443']);
  });

  it('are asked for at no address of a private network, whatever the media library names', async () => {
    const media = {
      status: 200,
      headers: {},
      body: ['https://localhost', 'http://10.0.0.1', 'https://[::1]:9'].map((origin) => ({
        source_url: `${origin}/a.jpg`,
      })),
    };
    const { adapter } = await start((target) => (target.includes('wp/v2/media') ? media : null));
    const named = await fetch(`${adapter.imageHost}/localhost/a.jpg`);
    expect([named.status, JSON.stringify(await named.json())]).toEqual([
      502,
      expect.stringContaining('no public address'),
    ]);
    expect((await fetch(`${adapter.imageHost}/10.0.0.1/a.jpg`)).status).toBe(404);
    expect((await fetch(`${adapter.imageHost}/[::1]:9/a.jpg`)).status).toBe(404);
  });
});

it('pictures are had where the server does not name their type, and refuses who does not say what they are', async () => {
  const types = { '/a.avif': {}, '/b.webp': { 'content-type': 'application/octet-stream' } };
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Not found' };
  const { adapter } = await start((target, { headers }) => {
    if (!/avif|webp|png/.test(target)) return null;
    if (headers['user-agent'] === undefined) return { status: 403, headers: {}, body: '' };
    const type = Object.entries(types).find(([path]) => path === target)?.[1];
    return type ? { status: 200, headers: type, body: Buffer.from('picture') } : page;
  });
  const statuses = ['a.avif', 'b.webp', 'c.png'].map(
    async (file) => (await fetch(`${adapter.imageHost}/site/${file}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
});

describe('the events of The Events Calendar', () => {
  // The shape that the plugin's own description of its API gives.
  const event = (id: number, day: string) => ({
    id,
    slug: `event-${id}`,
    url: `https://example.org/event/event-${id}/`,
    title: `Event ${id}`,
    description: '<p>Two days.</p>',
    start_date: `${day} 10:00:00`,
    utc_start_date: `${day} 09:00:00`,
    utc_end_date: `${day} 17:00:00`,
    website: 'https://conference.example.com',
    image: id === 1 ? { url: 'https://example.org/wp-content/uploads/event.jpg' } : false,
    venue: id === 1 ? { venue: 'Hall', city: 'Lisbon', country: 'Portugal' } : [],
  });
  const withEvents = (events: object[]) => (target: string) => {
    if (target.startsWith('/wp-json/?'))
      return {
        status: 200,
        headers: {},
        body: { namespaces: ['wp/v2', 'tribe/events/v1'] },
      };
    if (!target.includes('tribe/events')) return null;
    return events.length > 0
      ? { status: 200, headers: {}, body: { events, total: events.length, total_pages: 1 } }
      : { status: 404, headers: {}, body: { code: 'event-archive-page-not-found' } };
  };

  it('are what is to come, then what is past', async () => {
    const { ask } = await start(
      withEvents([event(3, '2001-05-01'), event(2, '2002-05-01'), event(1, '2999-05-01')]),
    );
    const slugs = async (path: string) => {
      const { responseData } = await (await ask(path)).json();
      return responseData.eventData.map(({ event_slug }: { event_slug: string }) => event_slug);
    };
    expect(await slugs('event/totalevents?page=1')).toEqual(['event-1', 'event-2', 'event-3']);
    expect(await slugs('event/upcoming_events?page=1')).toEqual(['event-1']);
    expect(await slugs('event/past_events?page=1')).toEqual(['event-2', 'event-3']);
    expect(await slugs('event/past_events?page=2')).toEqual([]);
    const { eventData } = await (await ask('event/eventdetails/event-1')).json();
    expect(eventData).toMatchObject([
      {
        event_location: 'Hall, Lisbon, Portugal',
        event_banner: '/site/wp-content/uploads/event.jpg',
        event_date: '2999-05-01 09:00:00Z',
      },
    ]);
  });

  it('are left out with a line where they have another shape, as posts are', async () => {
    const events = withEvents([event(1, '2999-05-01'), { ...event(2, '2999-05-01'), slug: false }]);
    const [post] = z.array(z.looseObject({})).parse(recorded('blocks').body);
    const posts = { ...recorded('blocks'), body: [null, { ...post, id: 'x' }, post] };
    const { ask, warnings } = await start((target) => (/posts\?/.test(target) ? posts : events(target)));
    const { responseData } = await (await ask('event/totalevents?page=1')).json();
    expect(responseData.eventData).toHaveLength(1);
    expect(await (await ask('post/latest')).json()).toHaveLength(1);
    expect(await (await ask('post/homepopular')).json()).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(/^tribe\/events\/v1\/events: 1 left out \(slug: /),
      expect.stringMatching(/^wp\/v2\/posts: 2 left out \(the item: /),
    ]);
  });

  it('are somewhere only by texts', async () => {
    const venue = { venue: 'Hall', city: { name: 'Lisbon' }, country: false };
    const { ask } = await start(withEvents([{ ...event(1, '2999-05-01'), venue }]));
    const { eventData } = await (await ask('event/eventdetails/event-1')).json();
    expect(eventData).toMatchObject([{ event_location: 'Hall' }]);
  });

  it('have pictures of the site and links to its posts in their description', async () => {
    const [post] = z
      .array(z.looseObject({ slug: z.string(), link: z.string() }))
      .parse(recorded('blocks').body);
    const description = `<img src="/wp-content/uploads/map.jpg"><a href="${post?.link}">Post</a><a href="/event/event-2/#x">Event</a><a href="/agenda.pdf">Agenda</a>`;
    const respond = withEvents([{ ...event(1, '2999-05-01'), description }]);
    const { ask, wordpress } = await start((target) =>
      target.startsWith('/wp-json/wp/v2/posts') ? recorded('blocks') : respond(target),
    );
    const { eventData } = await (await ask('event/eventdetails/event-1')).json();
    expect(eventData[0].event_desc).toBe(
      `<img src="/site/wp-content/uploads/map.jpg"><a href="/featured/${post?.slug}">Post</a><a href="/events/event-2#x">Event</a><a href="${wordpress.url}/agenda.pdf">Agenda</a>`,
    );
    const client = createRestClient(null, 20_000);
    opened.push(client);
    const events = createEvents(client, createContentReader(wordpress.url, client, ''));
    const moved: [string, string][] = [];
    for await (const each of events.redirects()) moved.push(each);
    expect(moved).toEqual([['/event/event-1/', '/events/event-1']]);
  });

  it.each([
    [
      'https://example.org/veranstaltungen/tag/%c3%bc/2027-01-05/',
      '/veranstaltungen/tag/%C3%BC-2/',
      '/events/%C3%BC-2',
    ],
    ['https://example.org/?tribe_events=%c3%bc', '/?tribe_events=%C3%BC-2', '/events/%C3%BC-2'],
    ['https://example.org/event/%c3%bc/', '/events/month/', '/events'],
  ])('are at the site for links to them where one is %s', async (url, href, path) => {
    const description = `<a href="${href}">A</a>`;
    const { ask } = await start(
      withEvents([{ ...event(1, '2999-05-01'), slug: '%c3%bc', url, description }]),
    );
    const { eventData } = await (await ask(`event/eventdetails/${encodeURIComponent('ü')}`)).json();
    expect(eventData[0].event_desc).toBe(`<a href="${path}">A</a>`);
  });

  it('have the day of their own zone where they last whole days', async () => {
    const dates = { start_date: '2026-03-06 00:00:00', utc_start_date: '2026-03-05 23:00:00' };
    const ends = { end_date: '2026-03-06 23:59:59', utc_end_date: '2026-03-06 22:59:59' };
    const { ask } = await start(withEvents([{ ...event(1, ''), ...dates, ...ends, all_day: true }]));
    const { eventData } = await (await ask('event/eventdetails/event-1')).json();
    expect(eventData).toMatchObject([{ event_date: '2026-03-06', event_end_date: '2026-03-06' }]);
  });

  it('are the newest where there are too many', async () => {
    const { ask, wordpress } = await start((target) => {
      const page = Number(/[?&]page=(\d+)/.exec(target)?.[1]);
      const events = [event(page, page === 40 ? '2999-05-01' : '2001-05-01')];
      return target.includes('tribe/events/')
        ? { status: 200, headers: {}, body: { events, total_pages: 40 } }
        : withEvents(events)(target);
    });
    const { responseData } = await (await ask('event/upcoming_events?page=1')).json();
    expect(responseData.eventData).toMatchObject([{ event_slug: 'event-40' }]);
    expect(wordpress.requests.filter((target) => target.includes('per_page=50'))).toHaveLength(20);
  });

  it('are none where it has none, or is not installed', async () => {
    for (const respond of [withEvents([]), undefined]) {
      const { ask } = await start(respond);
      expect(await (await ask('event/totalevents?page=1')).json()).toEqual({
        responseData: { eventData: [], pagination: { totalItems: 0, totalPages: 0 } },
      });
    }
  });
});

describe('SUBMISSIONS_URL', () => {
  it('gets what readers send, and its status is the outcome', async () => {
    let status = 200;
    const received: unknown[] = [];
    const service = await startFakeWordpress((_target, { headers }) => {
      received.push(headers['idempotency-key']);
      return { status, headers: {}, body: '' };
    });
    opened.push(service);
    const { adapter } = await start(undefined, { submissionsUrl: `${service.url}/hook` });
    const subscribe = async () =>
      (
        await fetch(`${adapter.origin}/api/subscribe/add`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
          body: '{"email":"ada@example.com"}',
        })
      ).status;
    const outcomes = [];
    for (const each of [200, 409, 404, 302, 422, 503]) {
      status = each;
      outcomes.push(await subscribe());
    }
    // 404 is how the upstream API says “already subscribed”.
    expect(outcomes).toEqual([200, 404, 502, 502, 422, 503]);
    expect(received).toEqual(Array(6).fill('k'));
  });

  it('is reached through the proxy of the environment', async () => {
    const proxy = await startFakeWordpress(() => ({ status: 204, headers: {}, body: '' }));
    opened.push(proxy);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const { adapter } = await start(undefined, { submissionsUrl: 'http://hook.test/taken' });
    vi.unstubAllEnvs();
    const { status } = await fetch(`${adapter.origin}/api/contact/add`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ada@example.com"}',
    });
    expect([status, proxy.requests]).toEqual([204, ['http://hook.test/taken']]);
  });
});

describe('the store', () => {
  it.runIf(process.platform !== 'win32')('can be read by its owner alone, and its folder', () => {
    const folder = join(dir, 'data');
    const store = openStore(folder, Date.now);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(folder)).toBe(0o700);
    for (const name of readdirSync(folder)) expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
    store.close();
  });

  it('knows a subscriber whatever the key, until erased', () => {
    const store = openStore(mkdtempSync(join(dir, 'subscribers-')), Date.now);
    const subscribe = (email: string, key: string | null) => store.submit('subscription', { email }, key);
    expect(subscribe('ada@example.com', 'a')).toBe(true);
    expect(subscribe('ada@example.com', 'a')).toBe(false);
    expect(subscribe('ADA@example.com', null)).toBe(false);
    expect(store.erase('ada@example.com')).toBe(1);
    expect(subscribe('ada@example.com', 'a')).toBe(true);
    expect([...store.submissions()]).toHaveLength(1);
    store.close();
  });

  it('counts views of seven days, once each', () => {
    let now = Date.UTC(2026, 0, 1);
    const store = openStore(mkdtempSync(join(dir, 'store-')), () => now);
    for (const key of ['a', 'b', 'c', 'c']) store.view(1, key);
    now += 6 * 86_400_000;
    for (const key of ['d', 'e']) store.view(2, key);
    expect(store.popular(8)).toEqual([1, 2]);
    now += 86_400_000;
    expect(store.popular(8)).toEqual([2]);
    store.close();
  });
});
