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

  it('looks up as many links of a body in one request as servers take', async () => {
    const slugs = Array.from({ length: 90 }, (_, number) => `${'д'.repeat(30)}-${number}`);
    const rendered = [...slugs, 'a'.repeat(9_000)].map((slug) => `<a href="/${slug}/">A</a>`).join('');
    const { ask, wordpress } = await start((target) => {
      const isRead = target.includes('slug=classic-post');
      const linked = slugs.filter((slug) => target.includes(`${slug},`));
      const body = isRead
        ? [{ ...post, content: { rendered, protected: false } }]
        : linked.map((slug, id) => ({ ...post, id, slug }));
      return isRead || target.includes('д') ? { ...recorded('classic'), body } : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    const isFound = String(result[0].post_content).includes(
      `href="/news/${encodeURIComponent(slugs[0] ?? '')}"`,
    );
    expect(isFound).toBe(true);
    const lookUps = wordpress.requests.filter((target) => target.includes('д'));
    expect(lookUps).toHaveLength(1);
    expect(encodeURIComponent(String(lookUps[0])).length).toBeLessThan(8_000);
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

  it('takes no link to its front page for one to a category that a plugin left without a link', async () => {
    const { ask, wordpress } = await start((target) => {
      const category = { id: 2, slug: 'a', name: 'A', parent: 0, count: 1 };
      if (target.includes('/categories')) return { ...recorded('categories'), body: [category] };
      const body = [{ ...post, content: { rendered: '<a href="/">Home</a>', protected: false } }];
      return target.includes('slug=classic-post') ? { ...recorded('classic'), body } : null;
    });
    const { result } = await (await ask('post/postdetails/news/classic-post')).json();
    expect(result).toMatchObject([{ post_content: `<a href="${wordpress.url}/">Home</a>` }]);
  });

  it('shows nothing of a post behind a password, whatever asks for it', async () => {
    const { ask } = await start((target) => (target.includes('wp/v2/posts') ? recorded('protected') : null));
    for (const path of ['post/latest', 'post/homepopular', 'post/topic/news', 'post/topic/news/privacy'])
      expect(JSON.stringify(await (await ask(path)).json())).not.toContain('behind-a-password');
    const details = await ask('post/postdetails/news/behind-a-password');
    expect(await details.json()).toEqual({ result: [] });
  });
});

it('the redirects of a WordPress are those of its posts and of their categories and tags', async () => {
  const wordpress = await startFakeWordpress();
  const client = createRestClient(null, 20_000);
  opened.push(wordpress, client);
  const lines: string[] = [];
  for await (const pair of contentRedirects(createContentReader(wordpress.url, client, '')))
    lines.push(pair.join(' '));
  expect(lines).toContain('/2026/02/every-block/ /featured/every-block');
  expect(lines).toContain('/category/interviews/ /topic/interview');
});

describe('pictures', () => {
  it('are those of the oldest files of the media library too', async () => {
    const media = { status: 200, headers: {}, body: [{ source_url: 'https://localhost:81/a.jpg' }] };
    const { adapter } = await start((target) => (target.includes('order=asc') ? media : null));
    expect((await fetch(`${adapter.imageHost}/localhost:81/a.jpg`)).status).toBe(502);
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
    const description = `<img src="/wp-content/uploads/map.jpg"><a href="${post?.link}">Post</a><a href="/agenda.pdf">Agenda</a>`;
    const respond = withEvents([{ ...event(1, '2999-05-01'), description }]);
    const { ask, wordpress } = await start((target) =>
      target.startsWith('/wp-json/wp/v2/posts') ? recorded('blocks') : respond(target),
    );
    const { eventData } = await (await ask('event/eventdetails/event-1')).json();
    expect(eventData[0].event_desc).toBe(
      `<img src="/site/wp-content/uploads/map.jpg"><a href="/featured/${post?.slug}">Post</a><a href="${wordpress.url}/agenda.pdf">Agenda</a>`,
    );
    const client = createRestClient(null, 20_000);
    opened.push(client);
    const events = createEvents(client, createContentReader(wordpress.url, client, ''));
    const moved: [string, string][] = [];
    for await (const each of events.redirects()) moved.push(each);
    expect(moved).toEqual([['/event/event-1/', '/events/event-1']]);
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
