import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

let site: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

describe('feeds', () => {
  it('the site’s feed is RSS 2.0 with absolute links to the latest posts', async () => {
    const { text } = await request(site.origin)
      .get('/feed.xml')
      .expect(200)
      .expect('content-type', /^application\/rss\+xml/);
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0"/);
    expect(text.match(/<item>/g)?.length).toBeGreaterThanOrEqual(5);
    expect(text).toMatch(/<link>https:\/\/www\.example\.com\/[\w-]+\/[\w-]+<\/link>/);
  });

  it('a topic’s feed holds its posts alone', async () => {
    const { text } = await request(site.origin).get('/topic/news/feed.xml').expect(200);
    const links = [...text.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(link).toMatch(/^https:\/\/www\.example\.com\/news\//);
  });

  it('are kept, with an ETag', async () => {
    await request(site.origin).get('/feed.xml');
    const { headers } = await request(site.origin)
      .get('/feed.xml')
      .expect('cache-status', /^data; hit/);
    await request(site.origin).get('/feed.xml').set('if-none-match', String(headers['etag'])).expect(304);
  });

  it('answer 503 as a problem while the upstream has nothing for them', async () => {
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
    await request(site.origin).get('/topic/cold-topic/feed.xml').expect(503).expect('retry-after', /\d/);
  });
});

describe('sitemaps', () => {
  it('list every fixed page, topic, tag and event, and posts, each once', async () => {
    const { text } = await request(site.origin)
      .get('/sitemap.xml')
      .expect(200)
      .expect('content-type', /^application\/xml/);
    const locations = [...text.matchAll(/<loc>([^<]+)</g)].map(([, location]) => location);
    expect(new Set(locations).size).toBe(locations.length);
    for (const path of ['/', '/events', '/privacy-policy', '/topic/news'])
      expect(locations).toContain(`https://www.example.com${path}`);
    expect(locations.filter((location) => location?.includes('/tag/')).length).toBeGreaterThan(0);
    expect(locations.filter((location) => location?.includes('/events/')).length).toBeGreaterThan(5);
  });

  it('of news hold the last two days alone', async () => {
    const { text } = await request(site.origin).get('/news-sitemap.xml').expect(200);
    const dates = [...text.matchAll(/<news:publication_date>([^<]+)</g)].map(([, date]) =>
      Date.parse(String(date)),
    );
    expect(dates.length).toBeGreaterThan(0);
    for (const date of dates) expect(Date.now() - date).toBeLessThan(2 * 86_400_000);
  });
});

describe('description files', () => {
  it('security.txt says whom to tell of a weakness, for less than a year', async () => {
    const { text } = await request(site.origin)
      .get('/.well-known/security.txt')
      .expect(200)
      .expect('content-type', 'text/plain; charset=utf-8');
    expect(text).toMatch(/^Contact: mailto:\S+@\S+$/m);
    expect(text).toMatch(/^Canonical: https:\/\/www\.example\.com\/\.well-known\/security\.txt$/m);
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - Date.now();
    expect(expires).toBeGreaterThan(300 * 86_400_000);
    expect(expires).toBeLessThan(365 * 86_400_000);
  });

  it.each([
    ['/robots.txt', /^text\/plain/, /Sitemap: https:\/\/www\.example\.com\/sitemap\.xml/],
    [
      '/opensearch.xml',
      /^application\/opensearchdescription\+xml/,
      /template="https:\/\/www\.example\.com\/search\/all\/\{searchTerms\}"/,
    ],
    ['/manifest.webmanifest', /^application\/manifest\+json/, /"short_name":"Martech Meridian"/],
  ])('%s', async (path, type, content) => {
    const { text, body } = await request(site.origin)
      .get(path)
      .expect(200)
      .expect('content-type', type)
      .buffer(true);
    expect(text || body.toString()).toMatch(content);
  });
});
