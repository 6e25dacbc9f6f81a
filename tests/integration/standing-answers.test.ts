import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLogLines } from './log-lines.ts';
import { type SiteUnderTest, startSiteUnderTest } from './site-under-test.ts';

/**
 * A reader of what stands is answered before Fastify, anyone else by it: nobody may be able to tell. An address
 * with a parameter that means nothing is the same page by the longer way.
 */
let site: SiteUnderTest;
const log = createLogLines('info');
let article: string;

const Views = z.object({ views: z.array(z.object({ ipAddr: z.string() })) });
const longer = (path: string) => `${path}?utm_source=letter`;
/** What belongs to one request, and seconds that pass between two. */
const OWN = ['x-request-id', 'server-timing', 'cache-status', 'date'];

async function headersOf(path: string, asked: Record<string, string>) {
  const { status, headers } = await request(site.origin).get(path).set(asked).redirects(0);
  return { status, headers: { ...headers, ...Object.fromEntries(OWN.map((name) => [name, null])) } };
}

beforeAll(async () => {
  site = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1' }, { logger: log.logger });
  const { top } = z
    .object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) })
    .parse((await request(site.origin).get('/api/home')).body);
  article = `/${top[0]?.category}/${top[0]?.slug}`;
  await request(site.origin).get(article).expect(200);
});
afterAll(() => site.close());

describe('a page that stands', () => {
  it.each(['br', 'gzip', 'identity'])(
    'has the status and headers of the longer way, %s',
    async (encoding) => {
      const asked = { 'accept-encoding': encoding };
      expect(await headersOf(article, asked)).toEqual(await headersOf(longer(article), asked));
    },
  );

  it('is not sent again to whom it was sent', async () => {
    const etag = (await request(site.origin).get(article)).headers['etag'] ?? '';
    const asked = { 'if-none-match': etag };
    expect((await headersOf(article, asked)).status).toBe(304);
    expect(await headersOf(article, asked)).toEqual(await headersOf(longer(article), asked));
  });

  it('has its line in the log and its count in the metrics, each once', async () => {
    const counted = async () => {
      const text = await (await fetch(`${site.ops}/metrics`)).text();
      const line = /^http_requests_total\{route="\/:category\/:slug",status="2xx"\} (\d+)$/m.exec(text);
      return Number(line?.[1] ?? 0);
    };
    const before = await counted();
    const { headers } = await request(site.origin).get(article).expect(200);
    const lines = () => log.of(headers['x-request-id']);
    await expect.poll(lines).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ method: 'GET', path: article, status: 200 });
    expect(await counted()).toBe(before + 1);
  });

  it('counts a view for the address that a trusted proxy tells', async () => {
    const readers = ['9.9.9.9', '9.9.9.10'];
    await request(site.origin).get(article).set('x-forwarded-for', '9.9.9.9').expect(200);
    await request(site.origin).get(longer(article)).set('x-forwarded-for', '9.9.9.10').expect(200);
    const counted = async () => {
      const { views } = Views.parse(await (await fetch(`${site.newsroom}/newsroom/views`)).json());
      return views.map(({ ipAddr }) => ipAddr).filter((ip) => readers.includes(ip));
    };
    await expect.poll(counted, { timeout: 10_000 }).toHaveLength(2);
    expect((await counted()).sort()).toEqual(readers.toSorted());
  });
});

describe('a reader’s limit', () => {
  it('is one for both ways, and each reader behind a trusted proxy has one', async () => {
    const limited = await startSiteUnderTest({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_READ: '4' });
    const statusOf = async (path: string, reader: string) =>
      (await request(limited.origin).get(path).set('x-forwarded-for', reader)).status;
    try {
      const paths = ['/about', '/about', longer('/about'), '/about', '/about', longer('/about')];
      const statuses: number[] = [];
      for (const path of paths) statuses.push(await statusOf(path, '9.9.9.9'));
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
      expect(await statusOf('/about', '9.9.9.10')).toBe(200);
    } finally {
      await limited.close();
    }
  });
});
