import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clockAhead } from '../fixtures/clocks.ts';
import { cmsSlugs, cmsTopic } from '../fixtures/cms-lists.ts';
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

  it('are Atom and JSON Feed too, of the same posts', async () => {
    const rss = await request(site.origin).get('/feed.xml');
    const links = [...rss.text.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, link]) => link);
    const atom = await request(site.origin)
      .get('/feed.atom')
      .expect(200)
      .expect('content-type', /^application\/atom\+xml/)
      .buffer(true);
    const text = atom.text || atom.body.toString();
    expect([...text.matchAll(/<entry><title>[^<]+<\/title><id>([^<]+)</g)].map(([, link]) => link)).toEqual(
      links,
    );
    expect(text).toMatch(/<updated>\d{4}-\d\d-\d\dT[\d:.]+Z<\/updated>/);
    const json = await request(site.origin)
      .get('/feed.json')
      .expect(200)
      .expect('content-type', /^application\/feed\+json/);
    const feed = JSON.parse(json.text);
    expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
    expect(feed.items.map(({ url }: { url: string }) => url)).toEqual(links);
    await request(site.origin).get('/topic/news/feed.atom').expect(200);
    await request(site.origin).get('/topic/news/feed.json').expect(200);
    const { text: home } = await request(site.origin).get('/');
    for (const type of ['rss+xml', 'atom+xml', 'feed+json'])
      expect(home).toMatch(
        new RegExp(
          `<link rel="alternate" href="/feed\\.\\w+" type="application/${type.replace('+', '\\+')}"`,
        ),
      );
  });

  it('a topic’s feed holds its posts alone', async () => {
    const { text } = await request(site.origin).get('/topic/news/feed.xml').expect(200);
    const links = [...text.matchAll(/<guid[^>]*>([^<]+)</g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(link).toMatch(/^https:\/\/www\.example\.com\/news\//);
  });

  it.each(['feed.xml', 'feed.atom', 'feed.json'])(
    'of a topic that is none are not found, and repeat nothing (%s)',
    async (file) => {
      for (const topic of ['no-such-topic', '%3Cb%3Ecanary7f3a', 'buy%20canary7f3a']) {
        const { text } = await request(site.origin).get(`/topic/${topic}/${file}`).expect(404);
        expect(text).not.toContain('canary7f3a');
        expect(text).not.toContain('1970');
      }
    },
  );

  it('of a topic are titled as its posts are filed, whatever they were asked for as', async () => {
    const posts = await (await fetch(`${site.demoCms}/api/post/topic/news?page=1&limit=10`)).json();
    await site.faults([{ path: '/api/post/topic/NEWS', kind: 'wrong-json', body: posts }]);
    const { text } = await request(site.origin).get('/topic/NEWS/feed.xml').expect(200);
    expect(text).toContain('<title>Martech Meridian: news</title>');
  });

  it('of a topic that the upstream responds to with 404 is not found', async () => {
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 404 }]);
    await request(site.origin).get('/topic/gone-topic/feed.xml').expect(404);
  });

  it.each(['feed.xml', 'feed.atom', 'feed.json'])('have each address once (%s)', async (file) => {
    const { posts } = await (await fetch(`${site.demoCms}/api/post/topic/news?page=1&limit=10`)).json();
    const repeated = { ...posts, postData: [...posts.postData, ...posts.postData] };
    await site.faults([{ path: '/api/post/topic/repeats', kind: 'wrong-json', body: { posts: repeated } }]);
    const { text } = await request(site.origin).get(`/topic/repeats/${file}`).buffer(true).expect(200);
    const ids = [...text.matchAll(/(?:<guid[^>]*>|<entry>.*?<id>|"id":")([^<"]+)/g)].map(([, id]) => id);
    expect(ids).toHaveLength(posts.postData.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are kept, with an ETag', async () => {
    await request(site.origin).get('/feed.xml');
    const { headers } = await request(site.origin)
      .get('/feed.xml')
      .expect('cache-status', /^data; hit; ttl=\d+$/);
    await request(site.origin).get('/feed.xml').set('if-none-match', String(headers['etag'])).expect(304);
  });

  it('respond with 503 as a problem while the upstream has nothing for them', async () => {
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
    await request(site.origin).get('/topic/cold-topic/feed.xml').expect(503).expect('retry-after', /\d/);
  });
});

describe('sitemaps', () => {
  const locationsOf = async (path: string, origin = site.origin) => {
    const { text } = await request(origin)
      .get(path)
      .expect(200)
      .expect('content-type', /^application\/xml/);
    return [...text.matchAll(/<loc>([^<]+)</g)].map(([, location]) => String(location));
  };

  it('leave out a topic without posts, which would lead to no page', async () => {
    const own = await startSiteUnderTest();
    const body = { posts: { postData: [], pagination: { totalItems: 0, totalPages: 0 } } };
    await own.faults([{ path: '/api/post/topic/future-ready', kind: 'wrong-json', body }]);
    for (const path of ['/sitemap.xml', '/sitemaps/topics.xml']) {
      const locations = await locationsOf(path, own.origin);
      expect(locations.filter((location) => location.includes('future-ready'))).toEqual([]);
      expect(locations.length).toBeGreaterThan(4);
    }
    await own.close();
  });

  it('are an index of parts, which list every fixed page, topic, tag, event and post, each once', async () => {
    const topics = (await locationsOf('/sitemaps/topics.xml')).map((topic) => new URL(topic).pathname);
    const categories = await Promise.all(
      topics.map(async (path) => {
        const { body } = await request(site.origin).get(`/api${path.replace('topic', 'topics')}`);
        return { slug: path.split('/').at(-1), total: body.pagination.totalItems };
      }),
    );
    const parts = (await locationsOf('/sitemap.xml')).map((part) => new URL(part));
    expect(parts.map(({ pathname }) => pathname)).toEqual([
      '/sitemaps/pages.xml',
      '/sitemaps/topics.xml',
      '/sitemaps/tags.xml',
      '/sitemaps/events.xml',
      ...topics.map((topic) => `/sitemaps/posts${topic}/1.xml`),
    ]);
    for (const { origin } of parts) expect(origin).toBe('https://www.example.com');
    const locations = (await Promise.all(parts.map(({ pathname }) => locationsOf(pathname)))).flat();
    expect(new Set(locations).size).toBe(locations.length);
    for (const path of ['/', '/events', '/privacy-policy', '/topic/news'])
      expect(locations).toContain(`https://www.example.com${path}`);
    expect(locations.filter((location) => location.includes('/tag/')).length).toBeGreaterThan(0);
    expect(locations.filter((location) => location.includes('/events/')).length).toBeGreaterThan(20);
    for (const { slug, total } of categories) {
      const own = locations.filter((location) => location.startsWith(`https://www.example.com/${slug}/`));
      expect(own).toHaveLength(total);
    }
  });

  it('ask the upstream once for the index of each category, and once for each part', async () => {
    const own = await startSiteUnderTest();
    const topicCalls = async () =>
      Object.keys(await own.calls()).filter((call) => call.includes('/api/post/topic/'));
    try {
      await own.forgetCalls();
      const index = await locationsOf('/sitemap.xml', own.origin);
      const firstParts = index.filter((part) => part.endsWith('/1.xml'));
      const ofIndex = await topicCalls();
      expect(ofIndex).toHaveLength(firstParts.length);
      for (const part of firstParts) await locationsOf(new URL(part).pathname, own.origin);
      expect(await topicCalls()).toEqual(ofIndex);
    } finally {
      await own.close();
    }
  });

  it.each([
    '/sitemaps/posts/topic/news/0.xml',
    '/sitemaps/posts/topic/news/01.xml',
    '/sitemaps/posts/topic/news/999.xml',
    '/sitemaps/posts/topic/news/x.xml',
    '/sitemaps/posts/topic/no-such-topic/1.xml',
    '/sitemaps/nothing.xml',
  ])('%s is none', async (path) => {
    await request(site.origin).get(path).expect(404);
  });

  it('wait for a slow upstream no longer than for one call', async () => {
    const paths = [
      '/sitemap.xml',
      '/sitemaps/events.xml',
      '/sitemaps/posts/topic/news/1.xml',
      '/news-sitemap.xml',
    ];
    // Each call is in time, two in sequence are not. Long, beside what a busy machine takes for everything else.
    const latencyMs = 10_000;
    const own = await Promise.all(
      paths.map(() => startSiteUnderTest({ UPSTREAM_TIMEOUT_MS: String(1.5 * latencyMs) })),
    );
    try {
      for (const one of own) await one.faults([{ path: '/api/*', kind: 'latency', ms: latencyMs }]);
      const began = performance.now();
      await Promise.all(
        paths.map((path, index) =>
          request(own[index]?.origin ?? '')
            .get(path)
            .expect(200),
        ),
      );
      expect(performance.now() - began).toBeLessThan(2 * latencyMs);
    } finally {
      await Promise.all(own.map((one) => one.close()));
    }
  });

  it.each(['/topic/news/feed.xml', '/sitemaps/posts/topic/news/1.xml'])(
    'are 503 where a proxy has a page for a 404, and 404 where the upstream says so itself: %s',
    async (path) => {
      const own = await startSiteUnderTest();
      try {
        await own.faults([{ path: '/api/post/topic/*', kind: 'html', status: 404 }]);
        await request(own.origin).get(path).expect(503).expect('cache-control', 'no-store');
        await own.reset();
        await own.faults([{ path: '/api/post/topic/*', kind: 'status', status: 404 }]);
        await request(own.origin).get(path).expect(404);
      } finally {
        await own.close();
      }
    },
  );

  it('name each part once, and no more than an index may have, of an upstream with any number of categories', async () => {
    const own = await startSiteUnderTest();
    try {
      await own.faults([
        {
          path: '/api/category/all',
          kind: 'wrong-json',
          body: [...cmsSlugs('cat', 250), ...cmsSlugs('cat', 2)],
        },
        { path: '/api/post/topic/*', kind: 'wrong-json', body: cmsTopic(1, 2_000) },
      ]);
      const parts = await locationsOf('/sitemap.xml', own.origin);
      expect(parts).toHaveLength(50_000);
      expect(new Set(parts).size).toBe(parts.length);
      const asked = Object.keys(await own.calls()).filter((call) => call.includes('/api/post/topic/'));
      expect(asked).toHaveLength(200);
    } finally {
      await own.close();
    }
  });

  it('are 503 where the list of a part fails, and name the part all the same', async () => {
    const own = await startSiteUnderTest();
    try {
      await own.faults([{ path: '/api/*', kind: 'status', status: 503 }]);
      const lists = ['topics', 'tags', 'events', 'posts/topic/news/1'];
      for (const name of lists)
        await request(own.origin).get(`/sitemaps/${name}.xml`).expect(503).expect('retry-after', /\d/);
      expect(await locationsOf('/sitemap.xml', own.origin)).toEqual(
        ['pages', 'topics', 'tags', 'events'].map((name) => `https://www.example.com/sitemaps/${name}.xml`),
      );
    } finally {
      await own.close();
    }
  });

  it('of news lose a post when its two days are over, though nothing else has changed', async () => {
    const clock = clockAhead();
    const own = await startSiteUnderTest({}, { clock });
    /** Publication dates in milliseconds, oldest first. */
    const news = async () => {
      const { text } = await request(own.origin).get('/news-sitemap.xml').expect(200);
      const dates = [...text.matchAll(/<news:publication_date>([^<]+)</g)].map(([, date]) => String(date));
      return dates.map((date) => Date.parse(date)).sort((one, other) => one - other);
    };
    const goTo = (moment: number) => {
      clock.wallAheadMs = moment - Date.now();
    };
    try {
      const all = await news();
      const [oldest = 0] = all;
      expect(all.length).toBeGreaterThan(1);
      goTo(oldest + 2 * 86_400_000 - 60_000);
      expect(await news()).toEqual(all);
      goTo(oldest + 2 * 86_400_000);
      expect(await news()).toEqual(all.filter((date) => date > oldest));
      // A clock that is set back includes the post again.
      clock.wallAheadMs = 0;
      expect(await news()).toEqual(all);
    } finally {
      await own.close();
    }
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

describe('an event for a calendar', () => {
  it('is served under its path with .ics, is linked from its page, and says what the page says', async () => {
    const { body } = await request(site.origin).get('/api/events?tab=upcoming');
    const { slug, title, date } = body.events[0];
    const { text } = await request(site.origin)
      .get(`/events/${slug}.ics`)
      .expect(200)
      .expect('content-type', 'text/calendar; charset=utf-8');
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines).toContain(`URL:https://www.example.com/events/${slug}`);
    expect(lines).toContain(`SUMMARY:${title.replace(/[\\;,]/g, '\\$&')}`);
    expect(text).toContain(date.slice(0, 10).replaceAll('-', ''));
    const page = await request(site.origin).get(`/events/${slug}`);
    expect(page.text).toContain(`<a href="/events/${slug}.ics">Add to calendar</a>`);
    await request(site.origin)
      .get(`/events/${slug}.ics`)
      .expect('cache-status', /^data; hit; ttl=\d+$/);
  });

  it('is 404 where there is no such event, and 503 while the upstream fails', async () => {
    await request(site.origin).get('/events/no-such-event.ics').expect(404);
    const own = await startSiteUnderTest();
    try {
      for (const status of [500, 501]) {
        await own.faults([{ path: '/api/*', kind: 'status', status }]);
        await request(own.origin).get(`/events/day-${status}.ics`).expect(503).expect('retry-after', /\d/);
      }
    } finally {
      await own.close();
    }
  });
});

it('/events/.ics, without a slug, is 404', async () => {
  await request(site.origin).get('/events/.ics').expect(404);
});

describe('description files', () => {
  it('name icons that are there', async () => {
    const manifest = JSON.parse(
      (
        await request(site.origin)
          .get('/manifest.webmanifest')
          .buffer(true)
          .parse((res, done) => {
            let text = '';
            res.on('data', (chunk: Buffer) => {
              text += chunk;
            });
            res.on('end', () => done(null, text));
          })
      ).body,
    );
    const icons: { src: string; type: string }[] = manifest.icons;
    expect(icons).toHaveLength(3);
    for (const { src, type } of [...icons, { src: '/apple-touch-icon.png', type: 'image/png' }])
      await request(site.origin)
        .get(src)
        .expect(200)
        .expect('content-type', new RegExp(type.replace('+', '\\+')));
  });

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
    ['/speculation-rules.json', /^application\/speculationrules\+json/, /"prefetch":\[/],
  ])('%s', async (path, type, content) => {
    const { text, body } = await request(site.origin)
      .get(path)
      .expect(200)
      .expect('content-type', type)
      .buffer(true);
    expect(text || body.toString()).toMatch(content);
  });

  it.each([
    '/robots.txt',
    '/opensearch.xml',
    '/manifest.webmanifest',
    '/speculation-rules.json',
    '/.well-known/security.txt',
  ])('%s is not sent again to whom it was sent', async (path) => {
    const first = await request(site.origin).get(path).expect(200);
    expect(first.headers['etag']).toMatch(/^"[^"]+"$/);
    const second = await request(site.origin)
      .get(path)
      .set('if-none-match', String(first.headers['etag']))
      .expect(304);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(second.headers['cache-control']).toBe('public, max-age=3600');
    await request(site.origin).get(path).set('if-none-match', '"another"').expect(200);
  });
});
