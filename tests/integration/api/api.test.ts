import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ArticlePage } from '#shared/models/article.ts';
import { Home } from '#shared/models/home.ts';
import { Navigation } from '#shared/models/navigation.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

describe('the JSON API', () => {
  it('returns the menus with their columns and items', async () => {
    const { body } = await request(site.origin).get('/api/navigation').expect(200);
    const { menus } = Navigation.strict().parse(body);
    expect(menus.map(({ name, columns }) => [name, columns.map(({ title }) => title)])).toEqual([
      ['Latest', ['News', 'Quick Bytes']],
      ['Leadership', ['Podcasts', 'Featured Interview', 'Guest Posts']],
      ['Features', ['Articles', 'Learning Center']],
    ]);
    for (const { columns } of menus) for (const { items } of columns) expect(items).toHaveLength(3);
  });

  it('returns the home page in our own model, and nothing else of the upstream’s', async () => {
    const { body, text } = await request(site.origin)
      .get('/api/home')
      .expect(200)
      .expect('content-type', /^application\/json/);
    const home = Home.strict().parse(body);
    expect(home.top).toHaveLength(3);
    expect(home.sections.featured).toHaveLength(3);
    expect(text).not.toMatch(/post_|cat_slug|banner_|created_at/);
  });

  it('returns an article with author, latest and related posts without itself', async () => {
    const home = Home.parse((await request(site.origin).get('/api/home')).body);
    const [post] = home.top;
    const { body } = await request(site.origin)
      .get(`/api/articles/${post?.category}/${post?.slug}`)
      .expect(200);
    const page = ArticlePage.strict().parse(body);
    expect(page.article.title).toBe(post?.title);
    expect(page.related.map(({ title }) => title)).not.toContain(page.article.title);
    expect(page.article.bodyHtml.length).toBeGreaterThan(500);
  });

  it('has an ETag and a Cache-Status of its own', async () => {
    await request(site.origin).get('/api/navigation');
    const { headers } = await request(site.origin).get('/api/navigation').expect(200);
    expect(headers['cache-status']).toMatch(/^data; hit; ttl=\d+$/);
    await request(site.origin)
      .get('/api/navigation')
      .set('if-none-match', headers['etag'] ?? '')
      .expect(304);
  });

  it('responds to a missing article with a problem', async () => {
    const { body } = await request(site.origin)
      .get('/api/articles/news/no-such-story')
      .expect(404)
      .expect('content-type', /^application\/problem\+json/)
      .expect('cache-status', 'data; fwd=miss');
    expect(body).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404 });
    expect(body.detail).toBeTruthy();
  });

  it('responds to a page of the publisher’s own whose name is malformed as to an unknown one', async () => {
    await request(site.origin).get('/api/pages/%25').expect(404);
  });

  it('responds to an upstream failure with a problem that names nothing of the inside', async () => {
    await site.faults([{ path: '/api/post/postdetails/*', kind: 'reset' }]);
    const { text, headers } = await request(site.origin)
      .get('/api/articles/news/some-cold-story')
      .expect(503);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers['retry-after']).toBeTruthy();
    expect(text).not.toMatch(/127\.0\.0\.1|UpstreamError|socket|ECONN/i);
  });

  it('describes itself', async () => {
    const { body } = await request(site.origin).get('/api/openapi.json').expect(200);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/api/home', '/api/navigation', '/api/views']),
    );
  });
});

describe('POST /api/views', () => {
  it.each(['gid://cms/Post/7', 'tag:cms.example.com,2026:7', 'größe-2.0', '日'.repeat(512)])(
    'takes what an upstream may name a post by: %s',
    async (postId) => {
      await request(site.origin).post('/api/views').send({ postId }).expect(202);
    },
  );

  it.each([[{}], [{ postId: '' }], [{ postId: { a: 1 } }], [[]]])(
    'refuses %j with 400 and a message per field',
    async (body) => {
      const { headers } = await request(site.origin).post('/api/views').send(body).expect(400);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    },
  );

  it('refuses a body that is no JSON, and one that is too large', async () => {
    const post = () => request(site.origin).post('/api/views').set('content-type', 'application/json');
    await post()
      .send('{"postId":')
      .expect(400)
      .expect('content-type', /^application\/problem\+json/);
    await post()
      .send(JSON.stringify({ postId: 'x'.repeat(20_000) }))
      .expect(413);
  });
});
