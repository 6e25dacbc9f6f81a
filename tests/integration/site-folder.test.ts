import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/site');

/** Returns a folder with some files, by path. */
function folderOf(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), 'site-folder-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

describe('a site folder', () => {
  let dir: string;
  let site: SiteUnderTest;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(site.origin + path, { redirect: 'manual', ...init });
  const text = async (path: string) => (await get(path)).text();

  beforeAll(async () => {
    dir = folderOf({});
    cpSync(EXAMPLE, dir, { recursive: true });
    writeFileSync(join(dir, 'root/robots.txt'), 'User-agent: *\nDisallow: /private/\n');
    writeFileSync(join(dir, 'root/probe.html'), '<!doctype html><title>probe</title>');
    site = await startSiteUnderTest({ SITE_DIR: dir });
  });
  afterAll(async () => {
    await site.close();
    rmSync(dir, { recursive: true });
  });

  it('names the publication in place of the default one, in documents, feeds and files', async () => {
    for (const path of [
      '/',
      '/about',
      '/contact-us',
      '/topic/news',
      '/feed.xml',
      '/feed.atom',
      '/feed.json',
      '/manifest.webmanifest',
      '/opensearch.xml',
      '/news-sitemap.xml',
      '/.well-known/security.txt',
      '/no/such/page',
    ]) {
      const body = await text(path);
      expect(body, path).toMatch(/schaltwerk/i);
      for (const word of [defaultSite.name, 'martechmeridian', defaultSite.publisher])
        expect(body, `${path} has no ${word}`).not.toContain(word);
    }
    expect(await text('/')).toContain('<html lang="de"');
  });

  it('has its theme after the build’s styles, at an address that changes with it, and its colours in the head', async () => {
    const page = await text('/');
    const [, href = ''] =
      /<link rel="stylesheet" href="(\/assets\/site\/theme\.[\w-]{10}\.css)">/.exec(page) ?? [];
    expect(page.indexOf(href)).toBeGreaterThan(page.indexOf('rel="stylesheet" href="/assets/'));
    const response = await get(href);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const css = await response.text();
    expect(css).toContain('--paper: light-dark(#ffffff, #0f1417)');
    expect(css).toContain('[data-section="news"]{--tint:light-dark(#0b5563, #7fd3e3)}');
    expect(page).toContain(
      '<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">',
    );
    expect(page).not.toMatch(/rel="preload" as="font"/);
    expect((await get('/manifest.webmanifest')).ok).toBe(true);
    expect(await (await get('/manifest.webmanifest')).json()).toMatchObject({ background_color: '#ffffff' });
    // Another version of the folder, as during a deploy.
    const other = await get(href.replace(/\.[\w-]{10}\./, '.0123456789.'));
    expect(other.headers.get('cache-control')).toBe('no-store');
    expect(await other.text()).toBe(css);
    expect((await get('/assets/site/none.0123456789.css')).status).toBe(404);
  });

  it('has its icons in place of the default ones', async () => {
    expect(await text('/favicon.svg')).toContain('#00687a');
    for (const [path, type] of [
      ['/icon-192.png', 'image/png'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/favicon.ico', 'image/png'],
    ] as const) {
      const response = await get(path);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('cross-origin-resource-policy'), path).toBe('cross-origin');
    }
  });

  it('serves the files of root/, in place of its own too', async () => {
    const ads = await get('/ads.txt');
    expect(ads.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await ads.text()).toContain('anzeigen.example');
    expect(await text('/robots.txt')).toBe('User-agent: *\nDisallow: /private/\n');
    expect((await get('/probe.html')).headers.get('content-security-policy')).toContain("default-src 'self'");
    const etag = ads.headers.get('etag') ?? '';
    expect((await get('/ads.txt', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await get('/ads.txt', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await get('/ads.txt', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = await get('/ads.txt', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    ['/kontakt', 301, '/contact-us'],
    ['/kontakt/?a=1', 301, '/contact-us?a=1'],
    ['/?p=12', 301, '/topic/news'],
    ['/magazin/2019/alt', 301, '/topic/featured'],
  ])('redirects %s with %d to %s', async (path, status, location) => {
    const response = await get(path);
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  });

  it('says that what is gone is gone, with the page of an error', async () => {
    const response = await get('/gewinnspiel', { headers: { accept: 'text/html' } });
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('Schaltwerk');
  });

  it('has its pages in Markdown, in the footer and the sitemap', async () => {
    const page = await text('/impressum');
    expect(page).toContain('<h1>Impressum</h1>');
    expect(page).toContain('<meta name="description" content="Wer Schaltwerk herausgibt."/>');
    expect(page).toContain('<link rel="canonical" href="https://www.example.com/impressum"/>');
    expect(page).toContain('<a href="/impressum">Impressum</a>');
    expect(await text('/sitemaps/pages.xml')).toContain('<loc>https://www.example.com/impressum</loc>');
    expect((await get('/Impressum')).headers.get('location')).toBe('/impressum');
    expect(await (await get('/api/pages/impressum')).json()).toMatchObject({
      title: 'Impressum',
      deck: null,
      contents: null,
    });
    expect((await get('/api/pages/about')).status).toBe(404);
    expect((await get('/no-such-page')).status).toBe(404);
  });

  it('replaces a built-in page by one of the same name, by the pipeline of articles', async () => {
    const page = await text('/privacy-policy');
    expect(page).toContain('<h1>Datenschutz</h1>');
    expect(page).toContain('Donnerstag, 1. Oktober 2026');
    expect(page).toMatch(/<table>/);
    expect(page).toContain('<a href="#s-ihre-rechte">Ihre Rechte</a>');
    expect(page).not.toContain('CalOPPA');
    const all = await text('/sitemaps/pages.xml');
    expect(all.match(/privacy-policy/g)).toHaveLength(1);
  });

  it('repeats no story of the top in its sections, and names other categories as the upstream does', async () => {
    const { top, sections } = await (await get('/api/home')).json();
    const idsOf = (posts: { id: string }[]) => posts.map(({ id }) => id);
    expect(idsOf(sections.news).filter((id) => idsOf(top).includes(id))).toEqual([]);
    const { latest } = await (await get(`/api/articles/${top[0].category}/${top[0].slug}`)).json();
    const named = expect.objectContaining({ category: 'quickbytes', categoryName: 'Quick Bytes' });
    expect(latest).toContainEqual(named);
    const { posts } = await (await get('/api/topics/quickbytes')).json();
    expect(posts).toEqual(posts.map(() => named));
    const { article, related } = await (await get(`/api/articles/quickbytes/${posts[0].slug}`)).json();
    expect(article).toEqual(named);
    expect(related).toEqual(related.map(() => named));
    const { quickBytes } = await (await get('/api/tags/customer-data')).json();
    expect(quickBytes).toContainEqual(named);
  });

  it('adds to the Content-Security-Policy, and names its script for the hydrated page', async () => {
    const page = await get('/');
    expect(page.headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://zaehler.example",
    );
    const [, module = ''] = /"(\/assets\/site\/settings\.[\w-]{10}\.js)"/.exec(await page.text()) ?? [];
    const settings = await text(module);
    expect(settings).toMatch(/"tags":"\/assets\/site\/tags\.[\w-]{10}\.js"/);
    expect(settings).not.toContain('"subscribe"');
  });

  it('is read again when it has changed, and pages are made again', async () => {
    const before = await text('/about');
    const json = JSON.stringify({ name: 'Neuwerk', product: 'Neuwerk' });
    writeFileSync(join(dir, 'site.json'), json);
    await expect.poll(() => text('/about')).toContain('Neuwerk');
    expect(before).toContain('Schaltwerk');
    writeFileSync(join(dir, 'csp.json'), '{"connect-src": ["https://other.example"]}');
    await expect
      .poll(async () => (await get('/about')).headers.get('content-security-policy'))
      .toContain('other.example');
    writeFileSync(join(dir, 'site.json'), json.replace('"name"', '"nmae"'));
    await expect
      .poll(async () => (await fetch(`${site.ops}/metrics`)).text())
      .toContain('\nsite_folder_valid 0');
    expect(await text('/about')).toContain('Neuwerk');
    writeFileSync(join(dir, 'site.json'), json);
    await expect
      .poll(async () => (await fetch(`${site.ops}/metrics`)).text())
      .toContain('\nsite_folder_valid 1');
  });
});

describe('an empty site folder', () => {
  it('changes no byte of any page, feed or file', async () => {
    const dir = folderOf({});
    const without = await startSiteUnderTest();
    const withFolder = await startSiteUnderTest({ SITE_DIR: dir }, { demoCms: without.demoCms });
    const bodyOf = async (site: SiteUnderTest, path: string) => {
      const response = await fetch(site.origin + path);
      return [response.status, response.headers.get('content-security-policy'), await response.text()];
    };
    const { top } = await (await fetch(`${without.origin}/api/home`)).json();
    for (const path of [
      '/',
      `/${top[0].category}/${top[0].slug}`,
      '/topic/news',
      '/tag/customer-data',
      '/search/all/consent',
      '/events',
      '/about',
      '/privacy-policy',
      '/opt-out-form',
      '/contact-us',
      '/sitemap',
      '/404',
      '/unknown',
      '/robots.txt',
      '/feed.xml',
      '/manifest.webmanifest',
      '/sitemaps/pages.xml',
      '/api/navigation',
    ]) {
      const [status, csp, body] = await bodyOf(without, path);
      const [otherStatus, otherCsp, otherBody] = await bodyOf(withFolder, path);
      expect([otherStatus, otherCsp], path).toEqual([status, csp]);
      expect(otherBody, path).toBe(body);
    }
    await withFolder.close();
    await without.close();
    rmSync(dir, { recursive: true });
  });
});

describe('settings of the site folder', () => {
  let dir: string;
  let site: SiteUnderTest;
  beforeAll(async () => {
    dir = folderOf({
      'site.json': JSON.stringify({
        timeZone: 'America/New_York',
        ads: { frame: 'https://ads.example/{slot}' },
        forms: { optOut: { fields: 'email' } },
        sections: [
          { slug: 'learning-center', label: 'School', menu: 'More', home: 'list' },
          { slug: 'news', label: 'Latest news', menu: 'More', home: 'cards', description: 'What is new.' },
          { slug: 'no-posts-there', label: 'Empty', menu: 'Nothing', home: 'carousel' },
          { slug: 'future-ready', label: 'Beyond' },
        ],
      }),
    });
    site = await startSiteUnderTest({ SITE_DIR: dir });
  });
  afterAll(async () => {
    await site.close();
    rmSync(dir, { recursive: true });
  });
  const text = async (path: string) => (await fetch(site.origin + path)).text();

  it('frame a page where there is no advertisement, and allow it', async () => {
    await site.faults([{ path: '/api/advertisement/get_active', kind: 'wrong-json', body: [] }]);
    const response = await fetch(`${site.origin}/topic/news`);
    expect(response.headers.get('content-security-policy')).toMatch(
      /frame-src [^;]* https:\/\/ads\.example;/,
    );
    const page = await response.text();
    expect(page).toContain('src="https://ads.example/Post-1"');
    expect(page).toMatch(/<iframe[^>]*sandbox="allow-scripts[^>]*loading="lazy"/);
    await site.reset();
  });

  it('have a sentence on a section, which its topic says, but no part of it', async () => {
    const deck = '<p class="deck">What is new.</p>';
    expect(await text('/topic/news')).toContain(deck);
    expect(await text('/topic/news/customer-data')).not.toContain(deck);
    expect(await text('/topic/learning-center')).not.toContain('class="deck"');
  });

  it('are the whole list of sections, whose order is that of menus, home page and sitemap', async () => {
    const home = await text('/');
    const menus = [...home.matchAll(/class="menus-button"[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect(menus).toEqual(['More']);
    const columns = [...home.matchAll(/class="menu-column-title">([^<]*)</g)].map(([, name]) => name);
    expect(columns).toEqual(['School', 'Latest news']);
    const main = home.slice(home.indexOf('<main'), home.indexOf('</main>'));
    const headings = [...main.matchAll(/class="section-heading"[^>]*><h2>([^<]*)</g)].map(([, name]) => name);
    expect(headings).toEqual(['School', 'Latest news']);
    const { sections } = await (await fetch(`${site.origin}/api/sitemap`)).json();
    expect(sections.map(({ label }: { label: string }) => label)).toEqual([
      'School',
      'Latest news',
      'Beyond',
    ]);
    for (const { latest } of sections) expect(latest).toHaveLength(3);
    const topics = (await text('/sitemaps/topics.xml')).matchAll(/\/topic\/([^<]*)</g);
    expect(Array.from(topics, ([, slug]) => slug)).toEqual(['learning-center', 'news', 'future-ready']);
    const { status } = await fetch(`${site.origin}/topic/podcasts`);
    expect(status).toBe(200);
  });

  it('name their topics, in feeds and among the categories of a search too', async () => {
    expect(await text('/topic/news')).toContain('<h1 dir="auto">Latest news</h1>');
    expect(await text('/topic/news/customer-data')).toContain(
      '<h1 dir="auto">Latest news customer-data</h1>',
    );
    expect(await text('/topic/podcasts')).toContain('<h1 dir="auto">Podcasts</h1>');
    expect(await text('/topic/news/feed.xml')).toContain(`<title>${defaultSite.name}: Latest news</title>`);
    expect(await text('/search/news/data')).toContain('aria-current="page">Latest news</a>');
  });

  it('list a section whose posts could not be loaded, for the moment', async () => {
    await site.reset();
    await site.faults([{ path: '/api/post/topic/future-ready', kind: 'status', status: 500 }]);
    expect(await text('/sitemap')).toContain('<a href="/topic/future-ready">Beyond</a>');
    await site.reset();
  });

  it('rule the day that a date is shown as, and the instant in feeds', async () => {
    const post = {
      id: 1,
      cat_slug: 'news',
      post_name: 'a',
      post_title: 'A',
      post_date: '2026-01-05 23:30:00',
    };
    const more = {
      updated_at: '2026-01-08 01:00:00',
      sponsor: 'Tarnwick',
      author_url: 'https://ada.example/',
      post_author: 'Ada',
    };
    await site.faults([
      {
        path: '/api/post/latest',
        kind: 'wrong-json',
        body: [{ ...post, ...more, banner_img: '/posts/x.jpg' }],
      },
      {
        path: '/api/post/postdetails/*',
        kind: 'wrong-json',
        body: { result: [{ ...post, ...more, post_content: '<p>T</p>' }] },
      },
    ]);
    const rss = await text('/feed.xml');
    expect(rss).toContain('<pubDate>Tue, 06 Jan 2026 04:30:00 GMT</pubDate>');
    expect(rss).toMatch(/<media:content url="[^"]*\/posts\/x\.jpg\?width=1200" medium="image"/);
    const atom = await text('/feed.atom');
    expect(atom).toContain('<updated>2026-01-08T01:00:00.000-05:00</updated>');
    expect(atom).toContain('medium="image"');
    const article = await text('/news/a');
    expect(article).toContain('<time dateTime="2026-01-05T23:30:00.000-05:00">Jan 5, 2026</time>');
    expect(article).toContain('Updated <time dateTime="2026-01-08T01:00:00.000-05:00">Jan 8, 2026</time>');
    expect(article).toContain('Sponsored by Tarnwick');
    expect(article).toContain('"url":"https://ada.example/"');
    await site.reset();
  });

  it('ask for the address alone in the opt-out form, with and without scripts', async () => {
    const page = await text('/opt-out-form');
    expect(page).toContain('name="email"');
    expect(page).not.toContain('name="firstName"');
    const post = (body: string, type: string) =>
      fetch(`${site.origin}/api/opt-outs`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': type, origin: 'https://www.example.com' },
        body,
      });
    expect((await post('{"email": "a@b.example"}', 'application/json')).status).toBe(201);
    expect((await post('{"email": "none"}', 'application/json')).status).toBe(400);
    const form = 'application/x-www-form-urlencoded';
    expect((await post('email=c%40d.example', form)).status).toBe(303);
    expect((await post('email=none', form)).status).toBe(400);
  });
});

describe('a site folder with rules for every address', () => {
  let dir: string;
  let site: SiteUnderTest;
  beforeAll(async () => {
    dir = folderOf({
      'site.json': '{"crawlers": {"ai": "refuse"}}',
      'redirects.txt': '/health* https://other.example/\n/ready* https://other.example/\n/old/* /about\n',
    });
    cpSync(join(import.meta.dirname, '../../client/public/icon-192.png'), join(dir, 'share.png'));
    site = await startSiteUnderTest({ SITE_DIR: dir });
  });
  afterAll(async () => {
    await site.close();
    rmSync(dir, { recursive: true });
  });
  const get = (path: string) => fetch(site.origin + path, { redirect: 'manual' });

  it('leaves probes to the server', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status, path).toBe(200);
    expect((await get('/health-and-safety')).status).toBe(301);
  });

  it('refuses the known crawlers of AI companies in robots.txt, and no others', async () => {
    const robots = await (await get('/robots.txt')).text();
    const groups = robots.split(/\n(?=User-agent: \*)/);
    expect(groups[0]).toMatch(/User-agent: GPTBot\n[\s\S]*User-agent: CCBot\n[\s\S]*Disallow: \/\n/);
    expect(groups[1]).toMatch(/^User-agent: \*\n/);
    expect(groups[1]).not.toMatch(/^Disallow: \/$/m);
  });

  it('shares pages without a picture with the one of the publisher', async () => {
    const page = await (await get('/about')).text();
    const [, path = ''] =
      /<meta property="og:image" content="https:\/\/www\.example\.com(\/assets\/site\/share\.[\w-]{10}\.png)"/.exec(
        page,
      ) ?? [];
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(page).toContain('<meta name="twitter:card" content="summary_large_image"');
  });

  it('ends the start where a page or a file is named like a route', async () => {
    for (const file of ['healthz', 'search', '404', 'events'].flatMap((name) => [
      `pages/${name}.md`,
      `root/${name}`,
    ])) {
      const own = folderOf({ [file]: '---\ntitle: Mine\n---\n' });
      await expect(startSiteUnderTest({ SITE_DIR: own }), file).rejects.toThrow(
        `SITE_DIR/${file}: another name expected`,
      );
      rmSync(own, { recursive: true });
    }
  });
});

describe('SITE_NOINDEX', () => {
  it('keeps a staging site out of search engines', async () => {
    const dir = folderOf({ 'root/robots.txt': 'User-agent: *\nAllow: /\n' });
    const site = await startSiteUnderTest({ SITE_NOINDEX: 'true', SITE_DIR: dir });
    expect(await (await fetch(`${site.origin}/robots.txt`)).text()).toBe('User-agent: *\nDisallow: /\n');
    expect(await (await fetch(`${site.origin}/about`)).text()).toContain(
      '<meta name="robots" content="noindex"/>',
    );
    await site.close();
    rmSync(dir, { recursive: true });
  });
});
