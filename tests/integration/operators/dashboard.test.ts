import request from 'supertest';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type * as responses from '#client/dashboard/api/ops-responses.ts';
import type * as schemas from '#server/ops/ops-schemas.ts';
import type { LiveMetrics, LivePoint } from '#shared/models/metrics.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { type LiveLine, openLive } from './metrics-stream-client.ts';

const TOKEN = 'a-token-of-the-operators';

let site: SiteUnderTest;
let lines: LiveLine[];

async function start(env: Record<string, string> = {}): Promise<void> {
  site = await startSiteUnderTest(env);
}

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  for (const line of lines) line.close();
  await site.close();
});

const ops = () => request(site.ops);
const bearer = { authorization: `Bearer ${TOKEN}` };

async function listen(headers?: Record<string, string>): Promise<LiveLine> {
  const line = await openLive(site.ops, headers);
  lines.push(line);
  return line;
}

async function figures(line: LiveLine): Promise<LiveMetrics> {
  const event = await line.next('figures');
  if (!event) throw new Error('the line has ended');
  return JSON.parse(event.data);
}

/** The addresses of what a document loads. */
function filesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, address = '']) => address);
}

describe('the cockpit', () => {
  beforeEach(() => start());

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

  it('loads files of its own listener, which may be kept for good', async () => {
    const files = filesOf((await ops().get('/')).text);
    expect(files.filter((file) => /\.(js|css)$/.test(file))).toHaveLength(2);
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

describe('the cockpit with a token', () => {
  beforeEach(() => start({ OPS_TOKEN: TOKEN }));

  it('answers a program without it with 401 and a problem', async () => {
    const { headers } = await ops()
      .get('/')
      .expect(401)
      .expect('content-type', /^application\/problem\+json/);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('answers a browser without it with 401 and a page that asks for it', async () => {
    const { text, headers } = await ops()
      .get('/')
      .set('accept', 'text/html,application/xhtml+xml')
      .expect(401)
      .expect('content-type', /^text\/html/);
    expect(headers['www-authenticate']).toBe('Bearer');
    for (const file of filesOf(text)) await ops().get(file).expect(200);
  });

  it('answers with the page who has it', async () => {
    await ops()
      .get('/')
      .set({ ...bearer, accept: 'text/html' })
      .expect(200)
      .expect('content-type', /^text\/html/);
  });

  it('tells nothing live without it', async () => {
    await ops().get('/live').set('accept', 'text/html').expect(401);
    const line = await listen(bearer);
    expect(line.status).toBe(200);
    expect((await figures(line)).mode.mode).toBe('normal');
  });
});

describe('the live figures', () => {
  beforeEach(() => start());

  it('are server-sent events: the history, then the figures again and again', async () => {
    const line = await listen();
    expect(line.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(line.headers.get('cache-control')).toBe('no-store');
    const history: LivePoint[] = JSON.parse((await line.next('history'))?.data ?? '');
    expect(history.length).toBeGreaterThan(0);
    const [first, second] = [await figures(line), await figures(line)];
    expect(second.at > first.at).toBe(true);
    expect(first).toMatchObject({ breaker: 'closed', mode: { mode: 'normal', endsInSeconds: null } });
  });

  it('are those of the cache, with what readers and the upstream do', async () => {
    const line = await listen();
    for (let reader = 0; reader < 3; reader++) await request(site.origin).get('/topic/news').expect(200);
    const read = new Date().toISOString();
    const seen = await expectMetrics(line, ({ at }) => at >= read);
    const { body } = await ops().get('/cache').expect(200);
    const { configured, changed, minute, ...counts } = seen.resources['topic'] ?? {};
    expect(counts).toEqual(body.topic);
    expect(configured).toEqual(body.topic.policy);
    expect(changed).toBe(false);
    const { hits, staleHits, misses, coalesced } = body.topic;
    expect(minute?.hitRatio).toBeCloseTo((hits + staleHits) / (hits + staleHits + misses + coalesced));
    expect(minute?.callsPerMinute).toBeGreaterThan(0);
    expect(seen.pages).toEqual(body.pages);
    const measured = await expectMetrics(line, ({ readers }) => (readers.perSecond ?? 0) > 0);
    expect(measured.readers.pageHitRatio).toBeCloseTo(2 / 3);
    expect(measured.readers.seconds?.p95).toBeGreaterThan(0);
    expect(measured.upstream.callsPerSecond).toBeGreaterThan(0);
    expect(measured.upstream.errorsPerSecond).toBe(0);
  });

  it('tell of a changed age and a mode', async () => {
    const line = await listen();
    await ops().patch('/cache/policies/topic').send({ ttl: 77 }).expect(200);
    await ops().patch('/cache/mode').send({ mode: 'freeze', forSeconds: 500 }).expect(200);
    const seen = await expectMetrics(line, ({ mode }) => mode.mode === 'freeze');
    expect(seen.resources['topic']).toMatchObject({
      changed: true,
      policy: { ttl: 77 },
      configured: { ttl: 30 },
    });
    expect(seen.mode.endsInSeconds).toBeGreaterThan(400);
  });

  it('are the same for two listeners: who comes takes no delay of the event loop from who is there', async () => {
    const line = await listen();
    // One at once, and one of the first second.
    for (let event = 0; event < 2; event++) await figures(line);
    const until = performance.now() + 150;
    while (performance.now() < until);
    await figures(await listen());
    const late = ({ process }: LiveMetrics) => process.eventLoopLagSeconds.max > 0.1;
    await expectMetrics(line, late);
  });

  it('are for eight listeners at once, and a ninth when one has gone', async () => {
    for (let index = 0; index < 8; index++) expect((await listen()).status).toBe(200);
    const ninth = await listen();
    expect(ninth.status).toBe(503);
    expect(ninth.headers.get('retry-after')).toBe('10');
    lines[0]?.close();
    await expect.poll(async () => (await listen()).status).toBe(200);
  });

  it('end when the site stops, and do not hold it up', async () => {
    const line = await listen();
    await figures(line);
    const closed = site.close();
    for (let event = await line.next('figures'); event !== null; event = await line.next('figures'));
    await closed;
    await start();
  });
});

async function expectMetrics(line: LiveLine, are: (seen: LiveMetrics) => boolean): Promise<LiveMetrics> {
  for (;;) {
    const seen = await figures(line);
    if (are(seen)) return seen;
  }
}

describe('what the cockpit takes the answers for', () => {
  it('is what the schemas say', async () => {
    await start();
    expectTypeOf<z.output<typeof schemas.ChangedPolicyResponse>>().toExtend<responses.ChangedAges>();
    expectTypeOf<z.output<typeof schemas.PurgeResponse>>().toExtend<responses.Purged>();
    expectTypeOf<z.output<typeof schemas.ExplainResponse>>().toExtend<responses.Explanation>();
    expectTypeOf<z.output<typeof schemas.OutboxResponse>>().toExtend<responses.OutboxState>();
    expectTypeOf<z.output<typeof schemas.WebVitalsResponse>>().toExtend<responses.Measured>();
    expectTypeOf<z.output<typeof schemas.ModeResponse>>().toExtend<LiveMetrics['mode']>();
    expect(
      z.object({ topic: z.object({ ttl: z.number() }) }).safeParse((await ops().get('/cache/policies')).body)
        .success,
    ).toBe(true);
  });
});
