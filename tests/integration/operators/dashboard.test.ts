import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSample } from '#shared/models/metrics.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { type OpenStream, openStream } from './metrics-stream-client.ts';

const TOKEN = 'a-token-of-the-operators';

let site: SiteUnderTest;
let streams: OpenStream[];

async function start(env: Record<string, string> = {}): Promise<void> {
  site = await startSiteUnderTest(env);
}

beforeEach(() => {
  streams = [];
});

function closeStreams(): void {
  for (const stream of streams) stream.close();
}

async function closeAll(): Promise<void> {
  closeStreams();
  await site.close();
}

const ops = () => request(site.ops);
const bearer = { authorization: `Bearer ${TOKEN}` };

async function listen(headers?: Record<string, string>): Promise<OpenStream> {
  const stream = await openStream(site.ops, headers);
  streams.push(stream);
  return stream;
}

async function sample(stream: OpenStream): Promise<LiveSample> {
  const event = await stream.next('sample');
  if (!event) throw new Error('the stream has ended');
  return JSON.parse(event.data);
}

/** Returns the URLs that a document loads. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address = '']) => address);
}

describe('the dashboard', () => {
  beforeAll(() => start());
  afterAll(() => site.close());

  it('is a page without inline script or style, under the strict policy', async () => {
    const { text, headers } = await ops()
      .get('/')
      .expect(200)
      .expect('content-type', /^text\/html/);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it('loads files of its own listener, which are immutable', async () => {
    const files = filesOf((await ops().get('/')).text);
    for (const kind of ['.js', '.css']) expect(files.filter((file) => file.endsWith(kind))).not.toEqual([]);
    for (const file of files) {
      const { headers } = await ops().get(file).set('accept-encoding', 'br').expect(200);
      expect(headers['cache-control'], file).toBe('public, max-age=31536000, immutable');
      expect(headers['content-encoding'], file).toBe('br');
    }
  });

  it('can be linked to from elsewhere, while its calls cannot be made from there', async () => {
    const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    await ops()
      .get('/')
      .set({ ...elsewhere, 'sec-fetch-dest': 'document' })
      .expect(200);
    await ops()
      .get('/')
      .set({ ...elsewhere, 'sec-fetch-dest': 'iframe' })
      .expect(403);
    await ops()
      .get('/cache')
      .set({ ...elsewhere, 'sec-fetch-dest': 'document' })
      .expect(403);
    await ops().get('/live').set('sec-fetch-site', 'cross-site').expect(403);
  });
});

describe('the dashboard with a token', () => {
  beforeAll(() => start({ OPS_TOKEN: TOKEN }));
  afterEach(closeStreams);
  afterAll(() => site.close());

  it.each(['/', '/cache', '/metrics', '/changes', '/session', '/openapi.json', '/nothing'])(
    'lets no cache store %s, with and without it',
    async (path) => {
      for (const headers of [{}, bearer]) {
        const response = await ops().get(path).set(headers);
        expect(response.headers['cache-control'], `${response.status}`).toBe('no-store');
      }
      const refused = await ops().patch(path).set(bearer).send('{');
      expect(refused.headers['cache-control'], `${refused.status}`).toBe('no-store');
    },
  );

  it('responds to a program without it with 401 and problem details', async () => {
    const { headers } = await ops()
      .get('/')
      .expect(401)
      .expect('content-type', /^application\/problem\+json/);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('responds to a browser without it with 401 and a page that asks for it', async () => {
    const { text, headers } = await ops()
      .get('/')
      .set('accept', 'text/html,application/xhtml+xml')
      .expect(401)
      .expect('content-type', /^text\/html/);
    expect(headers['www-authenticate']).toBe('Bearer');
    for (const file of filesOf(text)) await ops().get(file).expect(200);
  });

  it('serves the page with it', async () => {
    await ops()
      .get('/')
      .set({ ...bearer, accept: 'text/html' })
      .expect(200)
      .expect('content-type', /^text\/html/);
  });

  it('streams no samples without it', async () => {
    await ops().get('/live').set('accept', 'text/html').expect(401);
    const stream = await listen(bearer);
    expect(stream.status).toBe(200);
    expect((await sample(stream)).state.mode.mode).toBe('normal');
  });
});

describe('the live view', () => {
  beforeEach(() => start());
  afterEach(closeAll);

  it('sends the newest sample as server-sent events, again and again', async () => {
    const stream = await listen();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    const [first, second] = [await sample(stream), await sample(stream)];
    expect(second.at).toBeGreaterThan(first.at);
    expect(first.state).toMatchObject({ mode: { mode: 'normal', endsInSeconds: null }, lastChange: null });
  });

  it('has the counts of the registry', async () => {
    for (let reader = 0; reader < 3; reader++) await request(site.origin).get('/topic/news').expect(200);
    const { values } = await sample(await listen());
    expect(values).toMatchObject({
      'response_cache_requests_total{result="hit"}': 2,
      'response_cache_requests_total{result="miss"}': 1,
      'http_requests_total{status="200"}': 3,
      'cache_requests_total{resource="topic",result="waited"}': 1,
      'cache_requests_total{resource="topic",result="ready"}': 2,
    });
  });

  it('counts reads that were not sent apart, and a 5xx as no miss', async () => {
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
    const pages = 40;
    // What fails for one topic alone opens no circuit breaker.
    const topics = ['news', 'quickbytes', 'podcasts', 'interview', 'featured'];
    for (let page = 1; page <= pages; page++)
      await request(site.origin)
        .get(`/topic/${topics[page % topics.length]}?page=${page}`)
        .expect(503);
    const { values } = await sample(await listen());
    expect(values['upstream_refusals_total']).toBeGreaterThan(0);
    expect(values['upstream_refusals_total{operation="post.topic"}']).toBeGreaterThan(0);
    expect(values['response_cache_requests_total{result="error"}']).toBe(pages);
    expect(values['response_cache_requests_total{result="miss"}']).toBeUndefined();
  });

  it('counts a problem of the API, of a feed and of a calendar as a 5xx of the cache, as their Cache-Status says', async () => {
    await site.faults([{ path: '/', kind: 'status', status: 503 }]);
    for (const path of ['/api/topics/news', '/topic/news/feed.xml', '/events/any.ics'])
      await request(site.origin).get(path).expect(503).expect('cache-status', 'data; fwd=miss');
    const { values } = await sample(await listen());
    expect(values['response_cache_requests_total{result="error"}']).toBe(3);
  });

  it('has the mode, the last change, and the last failure of each operation with its reason', async () => {
    await ops().patch('/cache/mode').send({ mode: 'freeze', forSeconds: 500 }).expect(200);
    await ops().patch('/cache/mode').send({ mode: 'normal' }).expect(200);
    await site.faults([{ path: '/api/post/topic/*', kind: 'status', status: 503 }]);
    await request(site.origin).get('/topic/news');
    const { state } = await sample(await listen());
    expect(state.lastChange).toBeTruthy();
    expect(state.lastFailures['post.topic']).toMatchObject({ reason: '503', key: 'topic/news//1/10' });
    expect(state.lastFailedRead).toMatchObject({
      status: 503,
      route: '/topic/:category',
      url: '/topic/news',
    });
  });

  it('gives one token six streams, and another once one has closed', async () => {
    for (let index = 0; index < 6; index++) expect((await listen()).status).toBe(200);
    const refused = await listen();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('10');
    streams[0]?.close();
    await expect.poll(async () => (await listen()).status).toBe(200);
  });

  it('opens no stream for a request for its headers', async () => {
    for (let index = 0; index < 6; index++) {
      const { headers } = await ops().head('/live').expect(200);
      expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    }
    expect((await listen()).status).toBe(200);
  });

  it('ends when the site stops, and does not hold it up', async () => {
    const stream = await listen();
    await sample(stream);
    const closed = site.close();
    for (let event = await stream.next('sample'); event !== null; event = await stream.next('sample'));
    await closed;
    await start();
  });
});

describe('the history of the metrics', () => {
  beforeEach(() => start());
  afterEach(closeAll);

  it('ends with the newest sample', async () => {
    await request(site.origin).get('/topic/news').expect(200);
    const { body } = await ops().get('/metrics-history?minutes=5').expect(200);
    expect(body.stepSeconds).toBe(10);
    expect(body.at).toHaveLength(body.values.length);
    const requests = body.series.indexOf('http_requests_total{status="200"}');
    // A series that is newer than the ring's last sample comes with the next one.
    if (requests >= 0) expect(body.values.at(-1)[requests]).toBe(1);
    expect(body.series).toContain('process_start_time_seconds');
  });

  it.each(['?minutes=0', '?minutes=1441', '?minutes=soon', '?minutes='])('rejects %s', async (query) => {
    await ops().get(`/metrics-history${query}`).expect(400);
  });
});
