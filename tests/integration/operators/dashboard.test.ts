import { setTimeout as pause } from 'node:timers/promises';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
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

async function metrics(stream: OpenStream): Promise<LiveMetrics> {
  const event = await stream.next('metrics');
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

  it.each(['/', '/cache', '/metrics', '/audit', '/session', '/openapi.json', '/nothing'])(
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

  it('streams no metrics without it', async () => {
    await ops().get('/live').set('accept', 'text/html').expect(401);
    const stream = await listen(bearer);
    expect(stream.status).toBe(200);
    expect((await metrics(stream)).mode.mode).toBe('normal');
  });
});

describe('the metrics stream', () => {
  beforeEach(() => start());
  afterEach(closeAll);

  it('sends server-sent events: the history, then metrics again and again', async () => {
    const stream = await listen();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    const history: LivePoint[] = JSON.parse((await stream.next('history'))?.data ?? '');
    expect(history.length).toBeGreaterThan(0);
    const [first, second] = [await metrics(stream), await metrics(stream)];
    expect(second.at > first.at).toBe(true);
    expect(first).toMatchObject({ circuitBreaker: 'closed', mode: { mode: 'normal', endsInSeconds: null } });
  });

  it('sends the counts of the cache, and the rates of requests and of the upstream', async () => {
    const stream = await listen();
    for (let reader = 0; reader < 3; reader++) await request(site.origin).get('/topic/news').expect(200);
    const read = new Date().toISOString();
    const seen = await expectMetrics(stream, ({ at }) => at >= read);
    const { body } = await ops().get('/cache').expect(200);
    const { configured, changed, lastMinute, ...counts } = seen.resources['topic'] ?? {};
    expect(counts).toEqual(body.topic);
    expect(configured).toEqual(body.topic.policy);
    expect(changed).toBe(false);
    const { hits, staleHits, misses, coalesced } = body.topic;
    expect(lastMinute?.hitRatio).toBeCloseTo((hits + staleHits) / (hits + staleHits + misses + coalesced));
    expect(lastMinute?.upstreamRequests).toBeGreaterThan(0);
    expect(seen.pages).toEqual(body.pages);
    const measured = await expectMetrics(stream, ({ requests }) => (requests.perSecond ?? 0) > 0);
    expect(measured.requests.hitRatio).toBeCloseTo(2 / 3);
    expect(measured.requests.durationSeconds?.p95).toBeGreaterThan(0);
    expect(measured.upstream.requestsPerSecond).toBeGreaterThan(0);
    expect(measured.upstream.errorRatio).toBe(0);
    expect(measured.requests.perSecondByClass['2xx']).toBeGreaterThan(0);
    expect(measured.requests.perSecondByClass['5xx']).toBe(0);
    expect(measured.upstreamOperations.find(({ operation }) => operation === 'post.topic')).toBeDefined();
    expect(measured.serviceLevels).toMatchObject({ availability: 1 });
    expect(measured.serviceLevels.missP95Seconds).toBeGreaterThan(0);
  });

  it('sends changed policies and the mode', async () => {
    const stream = await listen();
    await ops().patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    await ops().patch('/cache/mode').send({ mode: 'freeze', forSeconds: 500 }).expect(200);
    const seen = await expectMetrics(stream, ({ mode }) => mode.mode === 'freeze');
    expect(seen.resources['topic']).toMatchObject({
      changed: true,
      policy: { ttl: 77 },
      configured: { ttl: 30 },
    });
    expect(seen.mode.endsInSeconds).toBeGreaterThan(400);
  });

  it('sends the same event-loop lag to all streams: a new one resets nothing for the others', async () => {
    const stream = await listen();
    await metrics(stream);
    // The monitor measures from its first sample on, 20 ms after the first stream was opened.
    await pause(100);
    const until = performance.now() + 150;
    while (performance.now() < until);
    await metrics(await listen());
    const late = ({ process }: LiveMetrics) => process.eventLoopLagSeconds.max > 0.1;
    await expectMetrics(stream, late);
  });

  it('has eight streams at most, and a ninth once one has closed', async () => {
    for (let index = 0; index < 8; index++) expect((await listen()).status).toBe(200);
    const ninth = await listen();
    expect(ninth.status).toBe(503);
    expect(ninth.headers.get('retry-after')).toBe('10');
    streams[0]?.close();
    await expect.poll(async () => (await listen()).status).toBe(200);
  });

  it('ends when the site stops, and does not hold it up', async () => {
    const stream = await listen();
    await metrics(stream);
    const closed = site.close();
    for (let event = await stream.next('metrics'); event !== null; event = await stream.next('metrics'));
    await closed;
    await start();
  });
});

describe('the history', () => {
  beforeEach(() => start());
  afterEach(closeAll);

  it('has points, and the start and the changes of operators as events in their order', async () => {
    await ops().patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    await ops()
      .post('/cache/purge')
      .send({ tags: ['topic'] })
      .expect(200);
    const { body } = await ops().get('/history?minutes=30').expect(200);
    expect(body.points.length).toBeGreaterThan(0);
    expect(body.points[0].requests).toHaveProperty('perSecondByClass');
    expect(body.events.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^process started, version \d/),
      'policy of topic',
      'purge',
    ]);
  });

  it.each(['', '?minutes=0', '?minutes=1441', '?minutes=soon'])('rejects %s', async (query) => {
    await ops().get(`/history${query}`).expect(400);
  });
});

async function expectMetrics(stream: OpenStream, are: (seen: LiveMetrics) => boolean): Promise<LiveMetrics> {
  for (;;) {
    const seen = await metrics(stream);
    if (are(seen)) return seen;
  }
}
