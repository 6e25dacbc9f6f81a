import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pages } from '#client/routes.tsx';
import { readRedirects } from '#server/site/redirects.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { type AdapterOptions, type RunningAdapter, startAdapter } from '#wordpress/adapter.ts';
import { moved } from '#wordpress/redirects.ts';
import { startProcess } from '../faults/processes/server-process.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { oneInThree, TAKES_ALL } from '../matrix.ts';
import { hasWordpress } from './ensure-wordpress.ts';
import { startWordpress, type Wordpress } from './wordpress.ts';

const TIMEOUT_MS = 20_000;

let wordpress: Wordpress;
let dataDir: string;
const opened: { close(): Promise<void> }[] = [];

async function startAdapterAt(wordpressUrl: string, options: Partial<AdapterOptions> = {}) {
  const adapter = await startAdapter({
    wordpressUrl,
    sections: '',
    submissionsUrl: null,
    authorization: null,
    dataDir: mkdtempSync(join(dataDir, 'adapter-')),
    optOutPath: '/api/optout/add',
    timeoutMs: TIMEOUT_MS,
    host: '127.0.0.1',
    port: 0,
    warn: () => undefined,
    ...options,
  });
  opened.push(adapter);
  return adapter;
}

async function startSite(env: Record<string, string>): Promise<SiteUnderTest> {
  const site = await startSiteUnderTest(
    { API_HOST: '', IMAGE_HOST: '', ...env },
    // It is asked for nothing.
    { demoCms: 'http://127.0.0.1:9' },
  );
  opened.push(site);
  return site;
}

const Post = z.looseObject({
  id: z.number(),
  cat_slug: z.string(),
  post_name: z.string(),
  post_title: z.string(),
});
const Pagination = z.object({ totalItems: z.number(), totalPages: z.number() });
const Topic = z.object({ posts: z.object({ postData: z.array(Post), pagination: Pagination }) });
const Result = z.object({ result: z.array(Post.extend({ post_content: z.string() })) });

/** Asks the adapter for a path of the upstream API, whose segments are encoded already. */
async function ask(adapter: RunningAdapter, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${adapter.origin}/api/${path}`);
  return { status: response.status, body: await response.json() };
}
const topic = async (adapter: RunningAdapter, path: string) =>
  Topic.parse((await ask(adapter, `post/topic/${path}`)).body).posts;
const details = async (adapter: RunningAdapter, section: string, slug: string) =>
  Result.parse((await ask(adapter, `post/postdetails/${section}/${encodeURIComponent(slug)}`)).body)
    .result[0];

async function open(site: SiteUnderTest, path: string) {
  const response = await fetch(site.origin + path, { redirect: 'manual' });
  return { status: response.status, html: await response.text() };
}

describe.skipIf(!hasWordpress() && process.env['CI'] === undefined)('a WordPress behind the site', () => {
  let adapter: RunningAdapter;
  let site: SiteUnderTest;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'wordpress-data-'));
    wordpress = await startWordpress({ choose: oneInThree });
    adapter = await startAdapterAt(wordpress.url);
    site = await startSite({ WORDPRESS_URL: wordpress.url, CACHE_ARTICLE_TTL: '1' });
  });
  afterAll(async () => {
    for (const each of opened.reverse()) await each.close();
    await wordpress.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const purge = async (what: object = { all: true }) => {
    const response = await fetch(`${site.ops}/cache/purge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(what),
    });
    expect(response.status).toBe(200);
  };

  it('fits every read of the specification', async () => {
    const checking = startProcess(['tools/check-upstream.ts', adapter.origin]);
    expect(await checking.ended).toBe(0);
    expect(checking.log.filter((line) => /^(fails|fits in part)/.test(line))).toEqual([]);
    const loading = RESOURCES.flatMap((resource) => RESOURCE_TABLE[resource].calls);
    expect(checking.log.filter((line) => line.startsWith('fits '))).toHaveLength(loading.length);
  });

  it('has no broken link within the site, whatever page they are on', async () => {
    const links = new Set<string>();
    const broken: string[] = [];
    const queue = new PQueue({ concurrency: 4 });
    let subtopics = 0;
    const add = (path: string) => {
      // The pictures of its bodies are not in this WordPress.
      if (links.has(path) || /^\/media\/|\.(xml|atom|json|ics)$/.test(path)) return;
      links.add(path);
      // Each section has each sub-category, and a third of those are as many as all other pages.
      const isSubtopic = /^\/topic\/[^/]+\/./.test(path);
      if (isSubtopic && !TAKES_ALL && subtopics++ % 3 > 0) return;
      void queue.add(() => follow(path));
    };
    const follow = async (path: string) => {
      const { status, html } = await open(site, path);
      if (status !== 200 && status !== 302) broken.push(`${path}: ${status}`);
      if (!/^\/($|topic|tag|news|interview|podcasts)/.test(path)) return;
      for (const [, href = ''] of html.matchAll(/<a\b[^>]*\shref="(\/[^"#]*)/g))
        add(href.replaceAll('&amp;', '&'));
    };
    add('/');
    await queue.onIdle();
    expect(broken).toEqual([]);
    expect(links.size).toBeGreaterThan(150);
  });

  describe('sections', () => {
    it('are those of categories by their slug and by usual names, and everything else is news', async () => {
      const slugs = async (section: string) =>
        (await topic(adapter, `${section}?limit=100`)).postData.map(({ post_name }) => post_name);
      expect(await slugs('featured')).toContain('every-block');
      expect(await slugs('quickbytes')).toContain('launch-🚀-day');
      expect(await slugs('interview')).toContain('below-a-section');
      expect(await slugs('news')).toEqual(
        expect.arrayContaining(['without-a-category', 'classic-post', 'two-sections']),
      );
      expect(await slugs('no-such-section')).toEqual([]);
    });

    it('have each post once: by the first of its sections, with totals to match', async () => {
      const { body } = await ask(adapter, 'category/all');
      const sections = z.array(z.object({ cat_slug: z.string() })).parse(body);
      const lists = await Promise.all(
        sections.map(({ cat_slug }) => topic(adapter, `${cat_slug}?limit=100`)),
      );
      const posts = lists.flatMap(({ postData }) => postData);
      const all = new Set(posts.map(({ id }) => id));
      expect(posts).toHaveLength(all.size);
      const published = Number(
        wordpress.run(
          "global $wpdb; echo $wpdb->get_var(\"select count(*) from $wpdb->posts where post_type='post' and post_status='publish' and post_password=''\");",
        ),
      );
      expect(all.size).toBe(published);
      // The protected one is counted by WordPress, and shown by nobody.
      expect(lists.reduce((sum, { pagination }) => sum + pagination.totalItems, 0)).toBe(published + 1);
      // Whatever section it is asked for in, it has its own.
      for (const section of ['news', 'podcasts', 'interview'])
        expect((await details(adapter, section, 'two-sections'))?.cat_slug).toBe('news');
    });

    it('are pages of real totals; a page beyond the last is empty', async () => {
      const first = await topic(adapter, 'news?page=1&limit=10');
      const { totalItems, totalPages } = first.pagination;
      expect(totalPages).toBe(Math.ceil(totalItems / 10));
      const last = await topic(adapter, `news?page=${totalPages}&limit=10`);
      expect(last.pagination).toEqual(first.pagination);
      expect(last.postData.length).toBeGreaterThan(0);
      expect((await topic(adapter, `news?page=${totalPages + 1}&limit=10`)).postData).toEqual([]);
    });

    it('are mapped by WORDPRESS_SECTIONS', async () => {
      const mapped = await startAdapterAt(wordpress.url, {
        sections: 'interview=founders;reviews=privacy,日本',
      });
      expect((await topic(mapped, 'interview')).postData.map(({ post_name }) => post_name)).toEqual([
        'below-a-section',
      ]);
      const reviews = await topic(mapped, 'reviews');
      expect(reviews.postData.map(({ cat_slug }) => cat_slug)).toEqual(['reviews']);
      expect(reviews.postData[0]?.post_name).toBe('classic-post');
    });

    it('are not mapped by a category that there is not, and a line says so', async () => {
      const lines: string[] = [];
      await startAdapterAt(wordpress.url, {
        sections: 'interview=founders,nobody',
        warn: (line) => lines.push(line),
      });
      await expect
        .poll(() => lines)
        .toEqual(['WORDPRESS_SECTIONS: nobody given, slugs of categories expected']);
    });

    it('within a sub-category that is a tag or a category are counted exactly', async () => {
      const { body } = await ask(adapter, 'category/subcatlist');
      const slugs = z
        .array(z.object({ subcat_slug: z.string() }))
        .parse(body)
        .map(({ subcat_slug }) => subcat_slug);
      expect(slugs).toEqual(expect.arrayContaining(['privacy', 'founders', '日本', 'analytics', 'ελλάδα']));
      expect(slugs).not.toContain('uncategorized');
      const within = await topic(adapter, 'news/privacy');
      expect(within.postData.map(({ post_name }) => post_name)).toEqual(['classic-post']);
      expect(within.pagination).toEqual({ totalItems: 1, totalPages: 1 });
      expect((await topic(adapter, 'interview/privacy')).postData.map(({ post_name }) => post_name)).toEqual([
        'below-a-section',
      ]);
      const Tag = z.object({ posts: z.record(z.string(), z.array(Post)) });
      const { posts } = Tag.parse((await ask(adapter, `post/tag/${encodeURIComponent('ελλάδα')}`)).body);
      expect(posts['news']?.map(({ post_name }) => post_name)).toEqual([
        'classic-post',
        expect.stringContaining('λλάδα'),
      ]);
      const analytics = Tag.parse((await ask(adapter, 'post/tag/analytics')).body).posts;
      const counted = await Promise.all(
        Object.entries({ news: 'news', featured: 'featured', podcasts: 'podcasts' }).map(
          async ([list, section]) =>
            [
              list,
              (await topic(adapter, `${section}/analytics?limit=12`)).postData.map(({ id }) => id),
            ] as const,
        ),
      );
      for (const [list, ids] of counted) expect(analytics[list]?.map(({ id }) => id)).toEqual(ids);
    });
  });

  describe('posts', () => {
    it('have what WordPress knows of them', async () => {
      const post = await details(adapter, 'featured', 'every-block');
      expect(post).toMatchObject({
        id: wordpress.ids['blocks'],
        post_title: 'Every block &amp; what becomes of it',
        post_author: 'Ines Halloran',
        author_url: 'https://people.example.com/ines-halloran',
        post_date: '2026-02-02T08:00:00Z',
        updated_at: '2026-02-02T08:00:00Z',
        banner_img: '/site/wp-content/uploads/2026/01/a-grocer-learns-to-forget.jpg',
        banner_show: 0,
        podcast_link: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
        reading_time: 1,
      });
      const [listed] = (await topic(adapter, 'featured?limit=1')).postData;
      expect(listed).toMatchObject({
        banner_show: 1,
        banner_img: expect.stringMatching(/^\/site\/wp-content\//),
      });
    });

    it('have an excerpt without the link to the rest', async () => {
      const { postData } = await topic(adapter, 'featured?limit=24');
      expect(JSON.stringify(postData)).not.toContain('Continue reading');
      expect(postData.find(({ post_name }) => post_name === 'every-block')?.['p_content']).toMatch(
        /^<p>A first paragraph/,
      );
    });

    it('link to each other by the site’s addresses, in one request more', async () => {
      wordpress.takeRequests();
      const html = (await details(adapter, 'featured', 'every-block'))?.post_content ?? '';
      const asked = wordpress.takeRequests().filter((request) => request.includes('wp/v2/posts'));
      expect(html).toContain('href="/news/classic-post#notes"');
      expect(html).toContain('href="/topic/interview"');
      expect(html).toContain('href="/news/two-sections"');
      expect(html).toContain('>its number</a>');
      expect(html).not.toContain('?p=');
      expect(html).toContain('href="https://www.example.com/elsewhere"');
      expect(html).toContain(`href="${wordpress.url}/wp-content/uploads/2026/01/figures.pdf"`);
      expect(html).not.toContain('aqz-KE-bpKQ');
      expect(html).toContain('>A film</figcaption>');
      expect(asked.length).toBeLessThanOrEqual(3);
    });

    it('in other scripts and with emoji have pages, found by their letters', async () => {
      for (const [section, part] of [
        ['news', 'λλάδα'],
        ['featured', '広告'],
        ['quickbytes', '🚀'],
      ] as const) {
        const { postData } = await topic(adapter, `${section}?limit=100`);
        const post = postData.find(({ post_name }) => post_name.includes(part));
        const { status, html } = await open(site, `/${section}/${encodeURIComponent(post?.post_name ?? '')}`);
        expect([part, status]).toEqual([part, 200]);
        expect(html).toContain(post?.post_title);
      }
      const found = await ask(adapter, `post/search/all/${encodeURIComponent('広告')}?page=1`);
      expect(JSON.stringify(found.body)).toContain('広告の測定はどこへ行くのか');
    });

    it('that are protected, private, drafts or pages are never served', async () => {
      const hidden = [
        ['news', 'behind-a-password'],
        ['news', 'for-editors'],
        ['news', 'not-written-yet'],
        ['news', 'about'],
      ] as const;
      for (const [section, slug] of hidden) expect(await details(adapter, section, slug)).toBeUndefined();
      const lists = await Promise.all(
        [
          'post/topic/news?limit=100',
          'post/search/all/secret?page=1',
          'post/search/all/password?page=1',
          'post/latest',
        ].map((path) => ask(adapter, path)),
      );
      expect(JSON.stringify(lists)).not.toMatch(
        /secret of the|behind-a-password|for-editors|not-written-yet/,
      );
    });
  });

  describe('authors', () => {
    const Author = z.object({ result: z.array(z.looseObject({ author_display_name: z.string() })) });
    const authorId = async () => {
      const post = await details(adapter, 'featured', 'every-block');
      return Number(post?.['post_author_id']);
    };

    it('have their posts', async () => {
      const { body } = await ask(adapter, `post/author/${await authorId()}?page=1`);
      expect(Topic.parse(body).posts.postData.length).toBeGreaterThan(1);
      expect((await ask(adapter, 'post/author/no-number')).status).toBe(404);
    });

    it('come from a post where WordPress closes its users', async () => {
      const open = Author.parse((await ask(adapter, `author/${await authorId()}`)).body);
      expect(open.result[0]).toMatchObject({
        author_display_name: 'Ines Halloran',
        author_url: 'https://people.example.com/ines-halloran',
      });
      wordpress.turn('closed-users', true);
      try {
        expect((await ask(adapter, `author/${await authorId()}`)).status).toBe(200);
        expect(await details(adapter, 'featured', 'every-block')).toMatchObject({
          post_title: 'Every block &amp; what becomes of it',
        });
      } finally {
        wordpress.turn('closed-users', false);
      }
    });
  });

  describe('pictures', () => {
    it('come from this site in the width that a browser wants', async () => {
      const { html } = await open(site, '/featured/every-block');
      const src = /<img[^>]*src="(\/media\/site\/[^"]+)"/.exec(html)?.[1] ?? '';
      const response = await fetch(site.origin + src.replaceAll('&amp;', '&'), {
        headers: { accept: 'image/webp' },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    });

    it('are of the WordPress’s own hosts alone, and are pictures', async () => {
      const paths = [
        'site/wp-admin/install.php',
        'site/../wp-config.php',
        '127.0.0.1/x.jpg',
        'www.example.com/x.jpg',
        'site/wp-content/uploads/2026/01/figures.pdf',
        'site/wp-content/uploads/2026/01/no-such.jpg',
      ];
      for (const path of paths)
        expect([path, (await fetch(`${adapter.imageHost}/${path}`)).status]).toEqual([path, 404]);
    });
  });

  describe('a change', () => {
    const pageOf = (path: string) => open(site, path);
    const write = (php: string) => wordpress.run(php);
    /** Its page alone is looked at: everything else would be loaded again for it. */
    const purgeArticles = () => purge({ tags: ['article'] });
    let slug: string;
    let id: number;
    beforeEach(async () => {
      slug = `story-${Math.random().toString(36).slice(2)}`;
      id = Number(
        write(
          `echo wp_insert_post(array('post_title' => 'As it was', 'post_name' => '${slug}', 'post_content' => 'First words.', 'post_status' => 'publish', 'post_category' => array(get_category_by_slug('news')->term_id)));`,
        ),
      );
      await purgeArticles();
      expect((await pageOf(`/news/${slug}`)).html).toContain('As it was');
    });

    it('of a post is seen after a purge, as is its retraction', async () => {
      write(`wp_update_post(array('ID' => ${id}, 'post_title' => 'As it is now'));`);
      await purgeArticles();
      expect((await pageOf(`/news/${slug}`)).html).toContain('As it is now');
      write(`wp_update_post(array('ID' => ${id}, 'post_status' => 'draft'));`);
      await purgeArticles();
      expect((await pageOf(`/news/${slug}`)).status).toBe(404);
    });

    it('is seen by itself with the documented plugin, which purges', async () => {
      const guide = readFileSync(join(import.meta.dirname, '../../docs/operating/wordpress.md'), 'utf8');
      const [, plugin = ''] = /```php\n<\?php\n([\s\S]*?)```/.exec(guide) ?? [];
      await pageOf('/topic/news');
      const change = `wp_update_post(array('ID' => ${id}, 'post_title' => 'By the plugin'));`;
      write(plugin.replace('http://site.internal:3001', site.ops) + change);
      await expect.poll(async () => (await pageOf('/topic/news')).html).toContain('By the plugin');
    });

    it('to a password takes a post away', async () => {
      write(`wp_update_post(array('ID' => ${id}, 'post_password' => 'secret'));`);
      await purge();
      expect((await pageOf(`/news/${slug}`)).status).toBe(404);
      expect((await pageOf('/topic/news')).html).not.toContain(slug);
    });

    it('of its slug or its category gives a post another address', async () => {
      write(`wp_update_post(array('ID' => ${id}, 'post_name' => '${slug}-renamed'));`);
      await purgeArticles();
      expect((await pageOf(`/news/${slug}`)).status).toBe(404);
      expect((await pageOf(`/news/${slug}-renamed`)).status).toBe(200);
      write(`wp_set_post_categories(${id}, array(get_category_by_slug('podcasts')->term_id));`);
      await purgeArticles();
      expect((await pageOf(`/podcasts/${slug}-renamed`)).status).toBe(200);
      const { status, headers } = await fetch(`${site.origin}/news/${slug}-renamed`, { redirect: 'manual' });
      expect([status, headers.get('location')]).toEqual([301, `/podcasts/${slug}-renamed`]);
    });
  });

  describe('a failing WordPress', () => {
    const lists = [
      'post/homelatest',
      'post/topic/news',
      'post/search/all/a',
      'category/all',
      'post/tag/analytics',
    ];
    // Long enough for each list on a busy machine, once WordPress is well again.
    const fresh = () => startAdapterAt(wordpress.url, { timeoutMs: 4_000 });

    it('is a failure and never an empty list: in maintenance, slow, stopped', async () => {
      const failing = await fresh();
      const statuses = async () =>
        (await Promise.all(lists.map((path) => ask(failing, path)))).map(({ status }) => status);
      wordpress.setMaintenance(true);
      expect(await statuses()).toEqual(lists.map(() => 502));
      wordpress.setMaintenance(false);
      wordpress.turn('slow', true);
      expect(await statuses()).toEqual(lists.map(() => 502));
      wordpress.turn('slow', false);
      wordpress.pause();
      expect(await statuses()).toEqual(lists.map(() => 502));
      wordpress.resume();
      // One by one: on a busy machine all at once may take WordPress longer.
      for (const path of lists) await expect.poll(async () => (await ask(failing, path)).status).toBe(200);
    });

    it('costs readers nothing that they have read before', async () => {
      await open(site, '/featured/every-block');
      wordpress.setMaintenance(true);
      try {
        expect((await open(site, '/featured/every-block')).status).toBe(200);
        expect((await open(site, '/featured/never-asked-for')).status).toBe(503);
      } finally {
        wordpress.setMaintenance(false);
      }
    });
  });

  describe('where the REST API is', () => {
    it('is found in a subfolder, without permalinks, and behind another public address', async () => {
      const variants = [
        { prefix: '/blog', plain: true },
        { home: 'https://www.example.org' },
        ...(TAKES_ALL ? [{ prefix: '/blog' }, { plain: true }] : []),
      ];
      for (const variant of variants) {
        const served = await wordpress.serve(variant);
        const there = await startAdapterAt(served.url);
        const post = await details(there, 'featured', 'every-block');
        expect(post).toMatchObject({ post_author: 'Ines Halloran' });
        expect(post?.post_content).toContain('href="/news/classic-post#notes"');
        const picture = await fetch(`${there.imageHost}${post?.['banner_img']}`);
        expect(picture.status).toBe(200);
        await picture.body?.cancel();
        await served.stop();
      }
    });

    it('is told in one line where it cannot be', async () => {
      wordpress.turn('closed-rest', true);
      await expect(startAdapterAt(wordpress.url)).rejects.toThrow(
        `WordPress at ${wordpress.url}: its REST API is closed (status 401)`,
      );
      wordpress.turn('closed-rest', false);
      await expect(startAdapterAt(adapter.origin)).rejects.toThrow('there is no REST API of WordPress');
    });
  });

  it('shows nothing that was cached of the demo CMS before', async () => {
    const DATA_DIR = mkdtempSync(join(dataDir, 'shared-'));
    const demo = await startSiteUnderTest({ DATA_DIR });
    expect((await open(demo, '/')).html).not.toContain('In two sections');
    await demo.close();
    const [first] = (await topic(adapter, 'news?page=1&limit=10')).postData;
    const own = await startSite({ DATA_DIR, WORDPRESS_URL: wordpress.url });
    const { html } = await open(own, '/');
    expect(html).toContain(`/news/${first?.post_name}`);
    expect(html).toContain('/media/site/wp-content/');
  });

  // What servers read is tested with servers: `tests/edge/wordpress-redirects.test.ts`.
  it('has a new address for each old one', async () => {
    const print = async (format: string) => {
      const printing = startProcess([
        'wordpress/wordpress.ts',
        'redirects',
        wordpress.url,
        '--format',
        format,
      ]);
      expect(await printing.ended).toBe(0);
      return printing.log;
    };
    const [redirects = [], csv = []] = await Promise.all(['redirects', 'csv'].map(print));
    expect(redirects).toEqual(
      expect.arrayContaining([
        '/2026/02/every-block/ /featured/every-block 301',
        '/category/interviews/ /topic/interview 301',
      ]),
    );
    // What differs by a slash or by its encoding alone would lead in a circle.
    const mistakes: string[] = [];
    const redirectOf = await readRedirects(redirects.join('\n'), (_file, expected) =>
      mistakes.push(expected),
    );
    expect(mistakes).toEqual([]);
    expect(redirectOf?.(encodeURI('/category/日本/?page=2'))).toMatchObject({ status: 301 });
    expect(redirectOf?.('/tag/analytics')).toBeNull();
    expect(csv).toContain('/2026/02/every-block/,/featured/every-block');
    expect(csv.join('')).not.toMatch(/behind-a-password|for-editors/);
  });

  it('has no new address for the old one of a post that is that of a page of the site', () => {
    const own = pages.map(({ path }) => path).filter((path) => /^\/[^/:*]+$/.test(path));
    expect(own).toContain('/events');
    for (const path of own)
      expect([...moved({ link: `https://old.example.com${path}/` }, '/news/old')], path).toEqual([]);
  });

  describe('what readers send', () => {
    const send = (to: RunningAdapter, path: string, body: object, key: string) =>
      fetch(`${to.origin}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    const message = {
      first_name: 'Ada',
      last_name: 'Quill',
      email: 'ada@example.com',
      phone: '+1 202-555-0142',
      message: '=1+1',
      opt_in: true,
    };

    it('is kept once each by its key, printed as CSV, and erased', async () => {
      const dir = mkdtempSync(join(dataDir, 'sent-'));
      const keeping = await startAdapterAt(wordpress.url, { dataDir: dir });
      expect(await send(keeping, 'subscribe/add', { email: 'ada@example.com' }, 'a')).toBe(201);
      for (const key of ['a', 'b'])
        expect(await send(keeping, 'subscribe/add', { email: 'ADA@example.com' }, key)).toBe(404);
      for (const _ of [1, 2]) expect(await send(keeping, 'contact/add', message, 'c')).toBe(201);
      expect(await send(keeping, 'optout/add', message, 'd')).toBe(201);
      expect(await send(keeping, 'contact/add', { email: 'x' }, 'e')).toBe(422);
      expect(statSync(join(dir, 'wordpress.sqlite')).mode & 0o777).toBe(0o600);

      const start = (from: string, ...args: string[]) =>
        startProcess(['wordpress/wordpress.ts', 'submissions', ...args], { DATA_DIR: from });
      const print = async (...args: string[]) => {
        const printing = start(dir, ...args);
        expect(await printing.ended).toBe(0);
        return printing.log;
      };
      // Nothing was sent to a folder that the adapter has never had.
      expect(await start(join(dir, 'none')).ended).toBe(1);
      const lines = await print();
      expect(lines).toHaveLength(4);
      expect(lines[2]).toContain(",contact,Ada,Quill,ada@example.com,'+1 202-555-0142,'=1+1,true");
      expect(await print('--erase', 'Ada@example.com')).toEqual(['3 erased']);
      expect(await print()).toHaveLength(1);
    });

    it('makes Popular: the most viewed of seven days, filled with the latest', async () => {
      const popular = async (of: RunningAdapter) =>
        z
          .array(Post)
          .parse((await ask(of, 'post/homepopular')).body)
          .map(({ id }) => id);
      const counting = await startAdapterAt(wordpress.url);
      const { blocks = 0, classic = 0 } = wordpress.ids;
      const view = (id: number, key: string) =>
        send(counting, `post/post_count/${id}`, { postId: String(id), ip_addr: '203.0.113.7' }, key);
      for (const key of ['a', 'b', 'b']) expect(await view(classic, key)).toBe(200);
      for (const key of ['c', 'd', 'e']) expect(await view(blocks, key)).toBe(200);
      const ids = await popular(counting);
      expect(ids.slice(0, 2)).toEqual([blocks, classic]);
      expect(new Set(ids).size).toBe(8);
    });

    it('ends there once each from the site’s own forms and pages', async () => {
      const post = (path: string, body: object) =>
        fetch(`${site.origin}/api/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: site.origin },
          body: JSON.stringify(body),
        });
      expect((await post('subscriptions', { email: 'reader@example.com' })).status).toBe(201);
      expect((await post('subscriptions', { email: 'reader@example.com' })).status).toBeOneOf([201, 409]);
      expect(
        (
          await post('contact-messages', {
            firstName: 'Ada',
            lastName: 'Quill',
            email: 'ada@example.com',
            phone: '+1 202-555-0142',
            message: 'Hello',
            optIn: true,
          })
        ).status,
      ).toBe(201);
    });
  });
});
