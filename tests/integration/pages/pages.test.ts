import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

const Latest = z
  .array(z.object({ cat_slug: z.string(), post_name: z.string(), post_title: z.string() }))
  .min(3);

let site: SiteUnderTest;
let article: { path: string; title: string };

beforeAll(async () => {
  site = await startSiteUnderTest();
  const [first] = Latest.parse(await (await fetch(`${site.demoCms}/api/post/latest`)).json());
  article = { path: `/${first?.cat_slug}/${first?.post_name}`, title: first?.post_title ?? '' };
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

const get = (path: string, headers: Record<string, string> = {}) =>
  request(site.origin).get(path).set(headers);

describe('a page', () => {
  it('is a whole document without scripts: headline, text and links are in the HTML', async () => {
    const { text } = await get(article.path).expect(200).expect('content-type', 'text/html; charset=utf-8');
    expect(text).toMatch(/^<!DOCTYPE html><html lang="en">/);
    expect(text.match(/<h1/g)).toHaveLength(1);
    expect(text).toContain(`<link rel="canonical" href="https://www.example.com${article.path}"`);
    expect(text).toMatch(/<div class="rich-text"[^>]*>.{600}/s);
  });

  it('has the menus, the footer and every section of the home page', async () => {
    const { text } = await get('/').expect(200);
    for (const name of [
      'Latest',
      'Leadership',
      'Features',
      'Events',
      'Contact Us',
      'Popular',
      'Watch Now',
      'Other Publications',
    ]) {
      expect(text).toContain(name);
    }
  });

  it('holds no inline script and no inline style, so that the policy needs no exception', async () => {
    for (const path of ['/', article.path]) {
      const { text, headers } = await get(path);
      const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes ?? '');
      for (const attributes of scripts) expect(attributes).toMatch(/src=|type="application\/(ld\+)?json"/);
      expect(text).not.toMatch(/ style="/);
      expect(text).not.toMatch(/<[^>]+\son[a-z]+=/);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe-inline');
    }
  });

  it('does not repeat the article’s HTML in its state', async () => {
    const { text } = await get(article.path);
    const state = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    expect(JSON.parse(state).loaderData.article.article.bodyHtml).toBe('');
  });

  it('is made once and then served from memory, as Cache-Status says', async () => {
    const fresh = await startSiteUnderTest();
    const first = await request(fresh.origin).get('/').expect(200);
    expect(first.headers['cache-status']).toMatch(/^page; fwd=miss/);
    await fresh.forgetCalls();
    const second = await request(fresh.origin).get('/').expect(200);
    expect(second.headers['cache-status']).toMatch(/^page; hit; ttl=\d+$/);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(await fresh.calls()).toEqual({});
    await fresh.close();
  });

  it('has a strong ETag for each encoding, and a 304 for a reader who holds it', async () => {
    const etags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers } = await get('/', { 'accept-encoding': encoding });
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
      const etag = headers['etag'] ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      etags.add(etag);
      const again = await get('/', {
        'accept-encoding': encoding,
        'if-none-match': `"other", ${etag}`,
      }).expect(304);
      expect(again.text).toBe('');
      expect(again.headers['etag']).toBe(etag);
    }
    expect(etags.size).toBe(3);
  });

  it('is the same text in every encoding', async () => {
    const bodyOf = async (encoding: string) => {
      const raw = get('/', { 'accept-encoding': encoding })
        .buffer(true)
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks)));
        });
      return (await raw).body as Buffer;
    };
    const plain = await bodyOf('identity');
    // supertest decodes known encodings, so a body arrives as text or as bytes.
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decode] of Object.entries(decoders)) {
      const body = await bodyOf(encoding);
      expect((body.equals(plain) ? body : decode(body)).equals(plain)).toBe(true);
    }
  });

  it('responds to HEAD with the headers of GET and no body', async () => {
    const { headers, text } = await request(site.origin).head('/').expect(200);
    expect(headers['etag']).toBeTruthy();
    expect(text ?? '').toBe('');
  });

  it('takes no notice of query parameters that its route does not list', async () => {
    const [plain, noisy] = [await get('/'), await get('/?utm_source=x&page=7')];
    expect(noisy.headers['etag']).toBe(plain.headers['etag']);
    expect(noisy.headers['cache-status']).toMatch(/^page; hit; ttl=\d+$/);
  });

  it('carries an id, and the security headers that helmet sets', async () => {
    const { headers } = await get('/');
    expect(headers['x-request-id']).toBeTruthy();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBeTruthy();
    expect(headers['x-frame-options']).toBe('DENY');
  });
});

describe('an address that leads nowhere', () => {
  it.each(['/nothing', '/404', '/a/b/c/d', '/.env', '/wp-login.php'])(
    '%s is the 404 page, status 404',
    async (path) => {
      const { text } = await get(path).expect(404).expect('content-type', /html/);
      expect(text).toContain('Error 404 - Not Found');
      expect(text).toMatch(
        /The page you are looking for can(&#x27;|')t be found. Go back or browse our recent articles./,
      );
      expect(text).toContain('Go Back Home');
    },
  );

  it('an article that the upstream does not know is the 404 page', async () => {
    await get('/news/no-such-story')
      .expect(404)
      .expect(/Error 404 - Not Found/);
  });

  it.each(['/%', '/%zz/x', '/news/%00', '/%C0%AE', '/news/..%2f..%2fetc', '/__proto__/constructor'])(
    'an odd spelling (%s) is a clean 400 or 404',
    async (path) => {
      const response = await fetch(site.origin + path);
      expect([400, 404]).toContain(response.status);
      expect(await response.text()).not.toMatch(/at .+\.(ts|js):\d/);
    },
  );

  it('an unknown API path is a problem, status 404', async () => {
    const { body } = await get('/api/nothing')
      .expect(404)
      .expect('content-type', /application\/problem\+json/);
    expect(body).toMatchObject({ status: 404, title: 'Not Found' });
  });
});

describe('a page whose upstream fails', () => {
  let own: SiteUnderTest;
  /** For an upstream that hangs. */
  let shortTimeoutSite: SiteUnderTest;
  beforeEach(async () => {
    own = await startSiteUnderTest({ CACHE_ARTICLE_TTL: '0', CACHE_HOME_TTL: '0' });
    shortTimeoutSite = await startSiteUnderTest({ UPSTREAM_TIMEOUT_MS: '600' }, { demoCms: own.demoCms });
  });
  afterEach(async () => {
    await shortTimeoutSite.close();
    await own.close();
  });

  it('cold: the article is 503 with the whole layout, not stored, with a way to try again', async () => {
    await own.faults([{ path: '/api/post/postdetails/*', kind: 'status', status: 500 }]);
    const { text, headers } = await request(own.origin).get(article.path).expect(503);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['retry-after']).toBeTruthy();
    expect(text).toMatch(/Error: .+/);
    expect(text).toContain('Try again');
    expect(text).toContain('Other Publications');
  });

  it('warm: the article is served stale, and the error does not replace it', async () => {
    await request(own.origin).get(article.path).expect(200);
    await own.faults([{ path: '/api/post/postdetails/*', kind: 'status', status: 500 }]);
    for (let round = 0; round < 3; round++) await request(own.origin).get(article.path).expect(200);
  });

  it('cold: the article goes to /404 when the upstream says 501', async () => {
    await own.faults([{ path: '/api/post/postdetails/*', kind: 'status', status: 501 }]);
    const { headers } = await request(own.origin).get(article.path).redirects(0).expect(302);
    expect(headers['location']).toBe('/404');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('renders what came in time: a hanging list leaves its section empty and the page at 200', async () => {
    await own.faults([{ path: '/api/post/homepodcast', kind: 'hang' }]);
    const { text } = await request(shortTimeoutSite.origin).get('/').expect(200);
    expect(text).toContain('Loading...');
  });

  it('has a deadline for a primary resource that hangs for ever', async () => {
    await own.faults([{ path: '/api/post/postdetails/*', kind: 'hang' }]);
    await request(shortTimeoutSite.origin).get(article.path).expect(503);
  });
});
