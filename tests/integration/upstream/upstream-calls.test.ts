import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pages } from '#client/routes.tsx';
import { buildDemoCms } from '#demo/demo-cms.ts';
import { RESOURCE_TABLE, RESOURCES } from '#shared/models/resources-and-policies.ts';
import { pagePaths } from '../../page-paths.ts';
import { createLogLines } from '../http/log-lines.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

interface Sent {
  call: string;
  type: string | undefined;
  body: unknown;
}

const sent: Sent[] = [];
const demoCms = buildDemoCms({ dataDir: null });
demoCms.addHook('preHandler', async ({ method, url, headers, body }) => {
  sent.push({ call: `${method} ${url}`, type: headers['content-type'], body });
});

let site: SiteUnderTest;
let post: { id: number; cat_slug: string; post_name: string; post_author_id: number };
let event: string;

beforeAll(async () => {
  const origin = await demoCms.listen({ port: 0, host: '127.0.0.1' });
  site = await startSiteUnderTest({ API_HOST: origin, IP_LOOKUP_URL: `${origin}/lookup?format=json` });
  const read = async (path: string): Promise<unknown> => (await demoCms.inject(path)).json();
  const Posts = z.array(
    z.object({ id: z.number(), cat_slug: z.string(), post_name: z.string(), post_author_id: z.number() }),
  );
  const [first] = Posts.parse(await read('/api/post/latest'));
  if (!first) throw new Error('the demo CMS has no posts');
  post = first;
  const Events = z.object({
    responseData: z.object({ eventData: z.array(z.object({ event_slug: z.string() })) }),
  });
  event = Events.parse(await read('/api/event/totalevents')).responseData.eventData[0]?.event_slug ?? '';
});

afterAll(async () => {
  await site.close();
  await demoCms.close();
});

/** Returns the upstream calls that a reader's request caused. */
async function callsOf(work: () => PromiseLike<unknown>): Promise<string[]> {
  const before = sent.length;
  await work();
  return sent.slice(before).map(({ call }) => call);
}

const open = (path: string) => request(site.origin).get(path);

describe('the calls of the specification, as they are sent', () => {
  it('are, for the home page, its seven lists, the advertisements and the three menus, once each', async () => {
    expect((await callsOf(() => open('/').expect(200))).toSorted()).toEqual(
      [
        'GET /api/advertisement/get_active',
        'GET /api/post/featured',
        'GET /api/post/homearticle',
        'GET /api/post/homeinterview',
        'GET /api/post/homelatest',
        'GET /api/post/homelatestnews',
        'GET /api/post/homepodcast',
        'GET /api/post/homepopular',
        'GET /api/post/homequickbyte',
        'GET /api/post/latestPost',
        'GET /api/post/leadership',
      ].toSorted(),
    );
  });

  it.each([
    ['/topic/news', ['GET /api/post/topic/news?page=1&limit=10', 'GET /api/category/subcatlist']],
    ['/tag/customer-data', ['GET /api/post/tag/customer-data']],
    ['/topic/news/analytics', ['GET /api/post/topic/news/analytics?page=1&limit=10']],
    ['/topic/news?page=2', ['GET /api/post/topic/news?page=2&limit=10']],
    ['/author/1', ['GET /api/post/author/1?page=1', 'GET /api/author/1']],
    ['/search/all/consent', ['GET /api/post/search/all/consent?page=1', 'GET /api/category/all']],
    ['/search/news/the?page=2', ['GET /api/post/search/news/the?page=2']],
    ['/events', ['GET /api/event/totalevents?page=1']],
    ['/events?tab=upcoming', ['GET /api/event/upcoming_events?page=1']],
    ['/events?tab=past', ['GET /api/event/past_events?page=1']],
    ['/events?page=2', ['GET /api/event/totalevents?page=2']],
  ])('are, for %s, %j', async (path, expected) => {
    expect(await callsOf(() => open(path).expect(200))).toEqual(expect.arrayContaining(expected));
  });

  it('are, for an event, its detail, after the lookup of the reader’s address has begun', async () => {
    const calls = await callsOf(() => open(`/events/${event}`).expect(200));
    expect(calls).toContain(`GET /api/event/eventdetails/${event}`);
    expect(calls).toContain('GET /lookup?format=json');
  });

  it('are, for an article, its detail once, its author, the latest and the related posts, and then one view', async () => {
    const { id, cat_slug, post_name, post_author_id } = post;
    const before = sent.length;
    await open(`/${cat_slug}/${post_name}`).expect(200);
    const view = () => sent.slice(before).find(({ call }) => call.startsWith('POST '));
    await expect.poll(view).toEqual({
      call: `POST /api/post/post_count/${id}`,
      type: 'application/json',
      body: { postId: String(id), ip_addr: '203.0.113.7' },
    });
    const reads = sent.slice(before).filter(({ call }) => call.startsWith('GET /api/'));
    expect(reads.map(({ call }) => call).toSorted()).toEqual(
      [
        `GET /api/post/postdetails/${cat_slug}/${post_name}`,
        `GET /api/author/${post_author_id}`,
        `GET /api/post/author/${post_author_id}?page=1`,
        `GET /api/post/asidetopic/${cat_slug}`,
        'GET /api/post/latest',
      ].toSorted(),
    );
  });

  it.each([
    ['/tag', '/api/post/tag'],
    ['/topic', '/api/post/topic'],
    ['/topic/news', '/api/post/topic/news'],
    ['/news', '/api/post/postdetails/news'],
    ['/search/all', '/api/post/search/all'],
    ['/events', '/api/event/eventdetails'],
  ])('have the slug of a page below %s, escaped or not', async (page, call) => {
    for (const slug of ['a/b', 'a%2Fb', 'a%252Fb', '50%'].map(encodeURIComponent))
      expect(await callsOf(() => open(`${page}/${slug}`))).toContainEqual(
        expect.stringContaining(`GET ${call}/${slug}`),
      );
  });

  it('are all that a resource has: each is made by one of the pages', async () => {
    for (const path of pagePaths(pages).values()) await open(path);
    for (const name of RESOURCES.flatMap((resource) => RESOURCE_TABLE[resource].calls)) {
      const path = new RegExp(`^GET /api/${name.replace('.', '/')}(?![\\w-])`);
      expect(
        sent.some(({ call }) => path.test(call)),
        name,
      ).toBe(true);
    }
  });

  it('are not made again for a page that is still fresh', async () => {
    await open('/').expect(200);
    expect(await callsOf(() => open('/').expect(200))).toEqual([]);
  });

  it('carry a subscription as JSON with its e-mail alone', async () => {
    const before = sent.length;
    await request(site.origin)
      .post('/api/subscriptions')
      .send({ email: 'calls@example.com', x: 1 })
      .expect(201);
    expect(sent.slice(before)).toEqual([
      { call: 'POST /api/subscribe/add', type: 'application/json', body: { email: 'calls@example.com' } },
    ]);
  });

  it.each([
    ['/api/contact-messages', 'POST /api/contact/add'],
    ['/api/opt-outs', 'POST /api/optout/add'],
  ])('carry the six fields of %s as JSON to %s', async (path, call) => {
    const before = sent.length;
    await request(site.origin)
      .post(path)
      .send({
        firstName: 'Ada',
        lastName: 'Quill',
        email: 'calls@example.com',
        phone: '+1 202-555-0142',
        message: 'A line.',
        optIn: true,
      })
      .expect(201);
    const body = {
      first_name: 'Ada',
      last_name: 'Quill',
      email: 'calls@example.com',
      phone: '+1 202-555-0142',
      message: 'A line.',
      opt_in: true,
    };
    expect(sent.slice(before)).toEqual([{ call, type: 'application/json', body }]);
  });
});

describe('the lookup of the reader’s address', () => {
  it('fails without a word to the reader: event and article are there, and the view is counted as seen', async () => {
    const log = createLogLines();
    const own = await startSiteUnderTest({}, { logger: log.logger });
    await own.faults([{ path: '/lookup', kind: 'status', status: 500 }]);
    await request(own.origin).get(`/events/${event}`).expect(200);
    await request(own.origin).get(`/${post.cat_slug}/${post.post_name}`).expect(200);
    const Views = z.object({ views: z.array(z.object({ ipAddr: z.string() })) });
    const views = async () => Views.parse(await (await fetch(`${own.demoCms}/demo-cms/views`)).json()).views;
    await expect.poll(views).toMatchObject([{ ipAddr: '127.0.0.1' }]);
    expect(log.text()).toContain('the public IP lookup failed');
    await own.close();
  });
});
