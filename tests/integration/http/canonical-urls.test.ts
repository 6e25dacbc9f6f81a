import fc from 'fast-check';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pages } from '#client/routes.tsx';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { sendAsSpelled } from './sent-as-spelled.ts';

const Posts = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });
const Events = z.object({ events: z.array(z.object({ slug: z.string() })).min(1) });
const Count = z.looseObject({ entries: z.number() });
const Counts = z
  .record(z.string(), Count)
  .transform((all) => Object.values(all).map(({ entries }) => entries));

let site: SiteUnderTest;
/** Warm targets, some with an unknown query parameter. */
let known: string[];

const send = (target: string, method?: string) => sendAsSpelled(site.origin, target, method);
/** Entries of the response cache and of each resource. */
const entries = async () => Counts.parse((await request(site.ops).get('/cache')).body);
const reads = async () => Object.keys(await site.calls()).filter((call) => call.startsWith('GET /api/'));

beforeAll(async () => {
  // No refresh while the test runs.
  const ages = Object.fromEntries(RESOURCES.map((name) => [`CACHE_${name.toUpperCase()}_TTL`, '3600']));
  site = await startSiteUnderTest({ ...ages, IMAGE_HOST: '' });
  const [post] = Posts.parse((await request(site.origin).get('/api/home')).body).top;
  const [event] = Events.parse((await request(site.origin).get('/api/events')).body).events;
  const article = `/${post?.category}/${post?.slug}`;
  const picture = /src="(\/media\/[^"?]+)/.exec((await send('/')).text)?.[1] ?? '';
  expect(picture).toMatch(/^\/media\/./);
  known = [
    ...pages.map(({ path }) => path).filter((path) => /^\/[^:*]*$/.test(path)),
    '/tag/customer-data',
    '/topic/news',
    '/topic/news?page=2',
    '/topic/news/analytics',
    '/search/all/consent',
    '/search/all/%252E',
    '/search/all/caf%C3%A9%20%26%20co',
    '/events?tab=past',
    `/events/${event?.slug}`,
    `/events/${event?.slug}.ics`,
    article,
    '/404',
    '/api/navigation',
    '/api/home',
    '/api/tags/customer-data',
    '/api/topics/news',
    '/api/topics/news?page=2',
    '/api/topics/news/analytics',
    `/api/articles${article}`,
    '/api/events',
    '/api/events?tab=past',
    `/api/events/${event?.slug}`,
    '/api/search/all/consent',
    '/api/search/all/%252E',
    '/api/sitemap',
    '/feed.xml',
    '/feed.atom',
    '/feed.json',
    '/topic/news/feed.xml',
    '/topic/news/feed.atom',
    '/topic/news/feed.json',
    '/sitemap.xml',
    '/news-sitemap.xml',
    '/sitemaps/pages.xml',
    '/sitemaps/topics.xml',
    '/sitemaps/tags.xml',
    '/sitemaps/events.xml',
    '/sitemaps/posts/topic/news/1.xml',
    '/robots.txt',
    '/favicon.ico',
    picture,
  ];
  for (const target of known) {
    const { status } = await send(target);
    expect(status, target).toBe(target === '/404' ? 404 : 200);
  }
  for (const target of known) await send(target);
});

afterAll(() => site.close());

/** The fixed segments of paths, whose case may vary. All other segments are slugs. */
const SEGMENTS = pages.flatMap(({ path }) => path.split('/')).filter((segment) => /^[a-z]/.test(segment));
const FILES = ['api', 'feed', 'sitemaps', 'robots', 'media'];
const WORDS = new RegExp(`(?<=/)(${[...SEGMENTS, ...FILES].join('|')})(?=[/.]|$)`, 'g');

/** Returns other spellings of a target: its path, and extra query parameters. */
const RESPELL: Readonly<Record<string, (path: string, query: string, at: number) => string>> = {
  'a slash at the end': (path, query) => `${path}/${query}`,
  'two slashes at the end': (path, query) => `${path}//${query}`,
  'two slashes': (path, query, at) => path.replace(/(?<=.)\//g, (slash) => (at % 2 ? '//' : slash)) + query,
  'a needless escape': (path, query, at) => escapedAt(path, at, false) + query,
  'a needless escape in capitals': (path, query, at) => escapedAt(path, at, true) + query,
  'escapes in small letters': (path, query) =>
    path.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()) + query,
  'words in capitals': (path, query) => path.replace(WORDS, (word) => word.toUpperCase()) + query,
  'a capital word': (path, query) =>
    path.replace(WORDS, (word) => word.charAt(0).toUpperCase() + word.slice(1)) + query,
  'a dot segment': (path, query, at) => `${path}/${['.', '%2e', './', '%2E%2e/..'][at % 4]}${query}`,
  'another number': (path, query, at) =>
    path.replace('-1', `-${['01', '+1', '0x1', '1e0', '1.0', '%31', '%EF%BC%91'][at % 7]}`) +
    query.replace('=2', `=${['02', '%32', '2&page=3', '002'][at % 4]}`),
  'more of a query': (path, query, at) =>
    `${path}${query === '' ? '?' : `${query}&`}${['utm_source=x', '', '&&', 'x[]=1', 'page=0', 'page=x', 'tab=ALL'][at % 7]}`,
  'an unused parameter': (path, query, at) => `${path}${query === '' ? '?' : `${query}&`}n=${at}`,
};

function escapedAt(path: string, at: number, upper: boolean): string {
  const index = 1 + (at % Math.max(1, path.length - 1));
  const character = path.charAt(index);
  if (!/[a-z0-9.\-_~]/i.test(character) || path.charAt(index - 1) === '%' || path.charAt(index - 2) === '%')
    return path;
  const hex = character.charCodeAt(0).toString(16);
  return `${path.slice(0, index)}%${upper ? hex.toUpperCase() : hex}${path.slice(index + 1)}`;
}

describe('another spelling of an address', () => {
  it('adds no cache entry, causes no upstream call, and is a 308 to the canonical spelling or a 404', async () => {
    const before = await entries();
    await site.forgetCalls();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(known.length - 1),
        fc.constantFrom(...Object.keys(RESPELL)),
        fc.nat(99),
        async (which, how, at) => {
          const target = known[which] ?? '/';
          const mark = target.indexOf('?');
          const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)];
          const spelled = RESPELL[how]?.(path, query, at) ?? target;
          const { status, location, headers } = await send(spelled);
          expect([200, 308, 400, 404], spelled).toContain(status);
          if (status !== 308) return;
          expect(location, spelled).toMatch(/^\/(?![/\\])/);
          expect(headers['cache-control'], spelled).toBe('no-store');
          expect(location.includes('?') ? location.slice(location.indexOf('?')) : '').toBe(
            spelled.includes('?') ? spelled.slice(spelled.indexOf('?')) : '',
          );
          const there = await send(location);
          expect([200, 404], `${spelled} to ${location}`).toContain(there.status);
        },
      ),
      { numRuns: 1_500 },
    );
    expect(await entries()).toEqual(before);
    expect(await reads()).toEqual([]);
  });

  it.each([
    ['/topic/news/', '/topic/news'],
    ['/TOPIC/news?page=2', '/topic/news?page=2'],
    ['/Privacy-policy', '/privacy-policy'],
    ['/pRivacy-policy', '/privacy-policy'],
    ['/topic/ne%77s?utm_source=a&b', '/topic/news?utm_source=a&b'],
    ['/search/all/caf%c3%a9', '/search/all/caf%C3%A9'],
    ['/search/all/a+b', '/search/all/a%2Bb'],
    ['/news/%5cevil.example/', '/news/%5Cevil.example'],
    ['/topic/ne%77s/feed.xml', '/topic/news/feed.xml'],
    ['/api/topics/ne%77s?page=2', '/api/topics/news?page=2'],
    ['/api/home/', '/api/home'],
    ['/%61pi/home', '/api/home'],
    ['/sitemaps/p%6Fsts/topic/news/1.xml', '/sitemaps/posts/topic/news/1.xml'],
    ['/r%6Fbots.txt', '/robots.txt'],
    ['/medi%61/x/y.jpg?width=300', '/media/x/y.jpg?width=300'],
  ])('%s redirects to %s, for GET and HEAD', async (target, location) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(target, method);
      expect([response.status, response.location, response.text]).toEqual([308, location, '']);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['content-security-policy']).toBeTruthy();
    }
  });

  it.each([
    ['/topic/news?page=2&page=3', '/topic/news?page=2'],
    ['/events?tab=past&tab=upcoming', '/events?tab=past'],
    ['/search?term=consent&term=data', '/search/all/consent'],
    ['/api/topics/news?page=2&page=3', '/api/topics/news?page=2'],
    ['/api/events?tab=past&tab=upcoming', '/api/events?tab=past'],
  ])('%s is %s: of a repeated parameter the first value counts', async (target, first) => {
    const { status, location, text } = await send(target);
    if (status === 200) expect(text).toBe((await send(first)).text);
    else expect(location).toBe(first);
  });

  it('a picture has the first of several widths', async () => {
    const picture = known.at(-1);
    const [one, both] = [await send(`${picture}?width=160`), await send(`${picture}?width=160&width=960`)];
    expect([both.status, both.headers['etag']]).toEqual([200, one.headers['etag']]);
  });

  it.each([
    '/sitemaps/posts/topic/news/01.xml',
    '/sitemaps/posts/topic/news/0x1.xml',
    '/sitemaps/posts/topic/news/1e0.xml',
    '/sitemaps/posts/topic/news/+1.xml',
    '/sitemaps/posts/topic/news/1.0.xml',
    '/sitemaps/posts/topic/news/%EF%BC%91.xml',
    '/Feed.xml',
    '/Topic/news/feed.xml',
    '/topic/news/%2e',
    '/API/home',
    '/topic//news',
    '//',
    '//topic/news',
    '//evil.example/',
    '/news/%EF%BF%BE',
    '/news/%ED%A0%80',
    '/api/tags/%00',
    '/no/such/page/',
  ])('%s is not found', async (target) => {
    const spelled = await send(target);
    // A `+` is escaped first. Invalid UTF-8 is no path for the router either.
    const { status } = spelled.status === 308 ? await send(spelled.location) : spelled;
    expect([400, 404]).toContain(status);
  });

  it('redirects nobody away from the site', async () => {
    for (const target of [
      '/%2F%2Fevil.example/',
      '/%5C%5Cevil.example/',
      '/%2f%2fevil.example/x/',
      '/http:%2f%2fevil.example/',
    ]) {
      const { location } = await send(target);
      expect(new URL(location, site.origin).origin, target).toBe(site.origin);
    }
  });

  it('keeps the case of slugs: they are the upstream’s', async () => {
    await send('/news/No-Such-Story');
    expect(await reads()).toContain('GET /api/post/postdetails/news/No-Such-Story');
  });
});
