import { createServer, type Server } from 'node:http';
import request from 'supertest';
import { afterEach, expect, it } from 'vitest';
import { startDemoCms } from '#demo/start.ts';
import { oneInThree } from '../../matrix.ts';
import { startSiteUnderTest } from '../site-under-test.ts';
import { textOf } from './markup.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts an upstream that replaces every date by `date`. Resolves with its origin. */
async function upstreamWithDates(date: string): Promise<string> {
  const demoCms = await startDemoCms({ dataDir: null, faults: false });
  closing.push(() => demoCms.close());
  const server: Server = createServer(async ({ url }, response) => {
    const original = await fetch(demoCms.origin + url);
    const text = await original.text();
    response.writeHead(original.status, { 'content-type': 'application/json' });
    response.end(text.replace(/"(post_date|updated_at|event_date)":("[^"]*"|\d+)/g, `"$1":${date}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the upstream does not listen');
  return `http://127.0.0.1:${address.port}`;
}

async function siteWithDates(date: string) {
  const site = await startSiteUnderTest({ API_HOST: await upstreamWithDates(date) });
  closing.push(() => site.close());
  const api = async (path: string) => (await request(site.origin).get(path).expect(200)).body;
  const [post] = (await api('/api/topics/news')).posts;
  const [event] = (await api('/api/events')).events;
  const article = `/${post.category}/${post.slug}`;
  const targets = [
    ...['/', '/events', '/topic/news', '/search/all/the', '/sitemap', '/no-posts'],
    ...['/feed.xml', '/feed.atom', '/feed.json', '/topic/news/feed.xml', '/topic/news/feed.atom'],
    ...['/sitemap.xml', '/sitemaps/posts/topic/news/1.xml', '/sitemaps/events.xml', '/news-sitemap.xml'],
    ...['/api/home', '/api/navigation', '/api/topics/news', '/api/events', `/api/events/${event.slug}`],
    ...[article, `/events/${event.slug}`],
  ];
  const text = async (path: string) => {
    const response = await request(site.origin).get(path).buffer(true).expect(200);
    return response.text || response.body.toString();
  };
  return { targets, text, article, event: `/events/${event.slug}` };
}

it('a date without a time is a day, wherever it is shown', async () => {
  const { text, article, event } = await siteWithDates('"2026-11-20"');
  expect(textOf(await text(article))).toContain('Nov 20, 2026');
  expect(await text(article)).toContain('"datePublished":"2026-11-20T00:00:00.000Z"');
  expect(textOf(await text(event))).toContain('Friday, November 20, 2026');
  expect(await text('/feed.xml')).toContain('<pubDate>Fri, 20 Nov 2026 00:00:00 GMT</pubDate>');
  expect(await text('/sitemaps/posts/topic/news/1.xml')).toContain(
    '<lastmod>2026-11-20T00:00:00.000Z</lastmod>',
  );
});

/** What `normalise-date.test.ts` tells to be no date: texts and numbers by turns. */
const NO_DATES = ['"0000-00-00 00:00:00"', '0', '"2026-02-30"', '86400', '"some time in spring"', 'null'];

it.each(oneInThree(NO_DATES))('where a date is %s, nothing shows one, least of all 1970', async (date) => {
  const { targets, text } = await siteWithDates(date);
  for (const target of targets) {
    const shown = await text(target);
    expect(shown, target).not.toMatch(/1970|1969|Invalid Date|NaN|undefined/);
    expect(shown, target).not.toMatch(/<(time|pubDate|lastmod|lastBuildDate|published)\b/);
    expect(shown, target).not.toMatch(/"(datePublished|dateModified|startDate|uploadDate|date_published)"/);
  }
  const atom = await text('/feed.atom');
  const dates = [...atom.matchAll(/<updated>([^<]+)</g)].map(([, at]) => Date.parse(String(at)));
  expect(dates.length).toBeGreaterThan(1);
  for (const at of dates) expect(Math.abs(at - Date.now())).toBeLessThan(600_000);
});
