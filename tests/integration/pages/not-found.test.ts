import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clockAhead } from '../../fixtures/clocks.ts';
import { sendAsSpelled } from '../http/sent-as-spelled.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
const clock = clockAhead();

const get = (path: string) => request(site.origin).get(path).set('accept-encoding', 'identity');
const pages = async () => (await request(site.ops).get('/cache')).body.pages;
const purge = (tag: string) =>
  request(site.ops)
    .post('/cache/purge')
    .send({ tags: [tag] })
    .expect(200);
const renders = async () => {
  const { text } = await request(site.ops).get('/metrics');
  const count = Number(/^render_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
  expect(count).toBeGreaterThan(0);
  return count;
};
const reads = async () =>
  Object.entries(await site.calls()).flatMap(([call, times]) =>
    call.startsWith('GET /api/') ? [`${times} ${call}`] : [],
  );

beforeAll(async () => {
  site = await startSiteUnderTest({ CACHE_NAVIGATION_TTL: '3600' }, { clock });
  await get('/404').expect(404);
});
afterAll(() => site.close());
beforeEach(() => site.forgetCalls());

const UNKNOWN = [
  '/nothing',
  '/another/address/of/nothing',
  '/404',
  '/wp-login.php',
  '/wp-content/x.php',
  '/a/b.map',
  '/news/index.php',
  '/tag/x.png',
  '/topic/news/Feed.xml',
  '/%',
  '/a//b',
];

describe('the not-found page', () => {
  it('is one response whatever the address, made once, and asks the upstream nothing', async () => {
    const { text } = await get('/404');
    const [before, rendered] = [await pages(), await renders()];
    for (const path of UNKNOWN) {
      const response = await sendAsSpelled(site.origin, path);
      // The router itself rejects an invalid escape.
      if (response.status === 400) continue;
      expect(response.status, path).toBe(404);
      expect(response.text, path).toBe(text);
      expect(response.headers['cache-status'], path).toMatch(/^page; hit; ttl=\d+$/);
    }
    expect(await pages()).toEqual(before);
    expect(await renders()).toBe(rendered);
    expect(await reads()).toEqual([]);
  });

  it('is the response to unknown articles and events too, whose no is remembered apart from the entries', async () => {
    const { text } = await get('/404');
    const [before, rendered] = [await pages(), await renders()];
    for (const [path, call] of [
      ['/news/no-such-story', '/api/post/postdetails/news/no-such-story'],
      ['/events/no-such-event', '/api/event/eventdetails/no-such-event'],
    ] as const) {
      const asked = async () => (await reads()).filter((read) => read.endsWith(call));
      await site.forgetCalls();
      const first = await get(path).expect(404);
      expect(first.text).toBe(text);
      expect(first.headers['cache-status']).toBe('page; fwd=miss');
      const second = await get(path).expect(404);
      expect(second.text).toBe(text);
      expect(second.headers['cache-status']).toMatch(/^page; hit; ttl=1[0-5]$/);
      expect(await asked()).toHaveLength(1);
      clock.monotonicAheadMs += 16_000;
      await get(path).expect(404);
      expect(await asked()).toEqual([`2 GET ${call}`]);
    }
    expect(await pages()).toEqual(before);
    expect(await renders()).toBe(rendered);
  });

  it('gives way to an article that a purge tells of, by whichever of its tags', async () => {
    const { body } = await get('/api/topics/news');
    const [{ id, category, slug }] = body.posts;
    const details = await (await fetch(`${site.demoCms}/api/post/postdetails/${category}/${slug}`)).json();
    for (const tag of ['article', 'category:news', `post:${id}`]) {
      const name = `soon-${tag.replace(':', '-')}`;
      const path = `/api/post/postdetails/news/${name}`;
      await site.faults([{ path, kind: 'wrong-json', body: { result: [] } }]);
      await get(`/news/${name}`).expect(404);
      details.result[0].post_name = name;
      await site.faults([{ path, kind: 'wrong-json', body: details }]);
      await get(`/news/${name}`).expect(404);
      await purge(tag);
      await get(`/news/${name}`).expect(200);
    }
    await site.faults([]);
  });

  it('gives way to an event that a purge tells of', async () => {
    const path = '/api/event/eventdetails/soon';
    const { body } = await get('/api/events');
    const [{ slug }] = body.events;
    const details = await (await fetch(`${site.demoCms}/api/event/eventdetails/${slug}`)).json();
    await get('/events/soon').expect(404);
    await site.faults([{ path, kind: 'wrong-json', body: details }]);
    await get('/events/soon').expect(404);
    await purge('event:soon');
    await get('/events/soon').expect(200);
    await site.faults([]);
  });

  it('is not for search engines and names no address', async () => {
    const { text } = await get('/nothing?page=2').expect(404);
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toMatch(/rel="canonical"|og:url|nothing|"url"|ld\+json/);
  });

  it('responds to HEAD as GET', async () => {
    const one = await sendAsSpelled(site.origin, '/nothing', 'HEAD');
    const other = await sendAsSpelled(site.origin, '/nothing');
    expect([one.status, one.text]).toEqual([404, '']);
    expect(one.headers['etag']).toBe(other.headers['etag']);
  });

  it('follows the menus', async () => {
    const { headers } = await get('/404');
    await site.faults([{ path: '/api/post/leadership', kind: 'wrong-json', body: {} }]);
    await purge('navigation');
    const changed = await get('/nothing').expect(404);
    expect(changed.headers['etag']).not.toBe(headers['etag']);
    await site.faults([]);
  });
});

describe('an address that looks like a file', () => {
  it('is none where no slug is called so or the folder is of other software, not for the API either', async () => {
    for (const path of ['/api/articles/wp-admin/setup', '/api/articles/a/b.map', '/api/tags/x.png'])
      await get(path)
        .expect(404)
        .expect('content-type', /^application\/problem\+json/);
    expect(await reads()).toEqual([]);
  });

  it('is that of an article whose slug ends so', async () => {
    const { body } = await get('/api/topics/news');
    const [{ category, slug }] = body.posts;
    const details = await (await fetch(`${site.demoCms}/api/post/postdetails/${category}/${slug}`)).json();
    details.result[0].post_name = 'angular.js';
    const path = '/api/post/postdetails/news/angular.js';
    await site.faults([{ path, kind: 'wrong-json', body: details }]);
    const { text } = await get('/news/angular.js').expect(200);
    expect(text).toContain('<link rel="canonical" href="https://www.example.com/news/angular.js"');
    await get('/api/articles/news/angular.js').expect(200);
    await site.faults([]);
  });

  it.each(['/news/node.js-guide', '/news/index.html', '/news/app.min.js', '/news/asp.net'])(
    '%s may be an article',
    async (path) => {
      await get(path).expect(404);
      expect(await reads()).toContain(`1 GET /api/post/postdetails${path}`);
    },
  );
});

it('/favicon.ico is there for browsers that look at feeds and texts', async () => {
  const { body, headers } = await request(site.origin).get('/favicon.ico').buffer(true).expect(200);
  expect(headers['content-type']).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)/);
  expect([...body.subarray(0, 4)]).toEqual([0, 0, 1, 0]);
  expect(headers['cache-control']).toMatch(/max-age=3600/);
});
