import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FaultRule } from '#demo/faults/faults.ts';
import { mainOf } from '../pages/markup.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { createLogLines, type LogLines } from './log-lines.ts';

let site: SiteUnderTest;
let log: LogLines;

/** Nothing stays fresh: every request calls the upstream. */
const NOTHING_FRESH = Object.fromEntries(
  [
    'NAVIGATION',
    'TAG',
    'TOPIC',
    'ARTICLE',
    'AUTHOR',
    'ASIDE',
    'LATEST',
    'SEARCH',
    'EVENTS',
    'EVENT',
    'SUBCATEGORIES',
  ]
    .flatMap((resource) => [`CACHE_${resource}_TTL`, `CACHE_${resource}_SWR`])
    .map((name) => [name, '0']),
);

beforeAll(async () => {
  log = createLogLines();
  site = await startSiteUnderTest(NOTHING_FRESH, { logger: log.logger });
});
afterAll(() => site.close());

/** Each test begins with an empty cache, without faults or log lines. */
beforeEach(async () => {
  await site.reset();
  log.clear();
});

const ARTICLE = '/news/apology-loop-two-million-emails';
const get = (path: string) => request(site.origin).get(path).redirects(0);

interface Failure {
  what: string;
  page: string;
  /** The upstream call that fails. */
  path: string;
  /** The call's name in the log. */
  call: string;
  fault: Partial<FaultRule>;
  /** Response of a cold page: status, redirect target, text of the page. */
  cold: { status: number; location?: string; says?: string };
}

const FAILURES: Failure[] = [
  ...[500, 501].map((status) => ({
    what: `a tag whose call responds with ${status}`,
    page: '/tag/analytics',
    path: '/api/post/tag/',
    call: 'post.tag',
    fault: { status },
    cold: { status: 302, location: '/404' },
  })),
  {
    what: 'a tag whose call responds with 502',
    page: '/tag/analytics',
    path: '/api/post/tag/',
    call: 'post.tag',
    fault: { status: 502 },
    cold: { status: 503, says: 'No Posts Available' },
  },
  {
    what: 'a topic of an invalid structure',
    page: '/topic/news',
    path: '/api/post/topic/',
    call: 'post.topic',
    fault: { kind: 'wrong-json', body: { posts: { postData: 'none' } } },
    cold: { status: 302, location: '/404' },
  },
  {
    what: 'a topic of invalid JSON',
    page: '/topic/news',
    path: '/api/post/topic/',
    call: 'post.topic',
    fault: { kind: 'broken-json' },
    cold: { status: 302, location: '/404' },
  },
  {
    what: 'a topic whose call responds with 500',
    page: '/topic/news',
    path: '/api/post/topic/',
    call: 'post.topic',
    fault: { status: 500 },
    cold: { status: 503, says: 'No Posts Available' },
  },
  {
    what: 'a topic whose sub-categories respond with 500',
    page: '/topic/news',
    path: '/api/category/subcatlist',
    call: 'category.subcatlist',
    fault: { status: 500 },
    cold: { status: 302, location: '/404' },
  },
  {
    what: 'an article whose call responds with 501',
    page: ARTICLE,
    path: '/api/post/postdetails/',
    call: 'post.postdetails',
    fault: { status: 501 },
    cold: { status: 302, location: '/404' },
  },
  {
    what: 'an article whose call responds with 500',
    page: ARTICLE,
    path: '/api/post/postdetails/',
    call: 'post.postdetails',
    fault: { status: 500 },
    cold: { status: 503, says: 'Error: ' },
  },
  ...[501, 500].map((status) => ({
    what: `an event whose call responds with ${status}`,
    page: '/events/martech-live',
    path: '/api/event/eventdetails/',
    call: 'event.eventdetails',
    fault: { status },
    cold: { status: 503, says: 'This event is not available at the moment.' },
  })),
  ...[500, 404].map((status) => ({
    what: `a search whose call responds with ${status}`,
    page: '/search/all/consent',
    path: '/api/post/search/',
    call: 'Network response was not ok',
    fault: { status },
    cold: { status: 503, says: 'No Result For Your Search' },
  })),
  {
    what: 'a search that is no success',
    page: '/search/all/consent',
    path: '/api/post/search/',
    call: 'Invalid data structure',
    fault: { kind: 'wrong-json', body: { success: false, result: { postData: [] } } },
    cold: { status: 503, says: 'No Result For Your Search' },
  },
  {
    what: 'the sitemap whose sub-categories fail',
    page: '/sitemap',
    path: '/api/category/subcatlist',
    call: 'category.subcatlist',
    fault: { status: 500 },
    cold: { status: 200, says: 'Error fetching menu items: ' },
  },
];

/** Returns a row's path; events are looked up in the demo CMS. */
async function addressOf(page: string): Promise<string> {
  if (!page.startsWith('/events/')) return page;
  const list: { responseData: { eventData: { event_slug: string }[] } } = await (
    await fetch(`${site.demoCms}/api/event/totalevents`)
  ).json();
  return `/events/${list.responseData.eventData[0]?.event_slug}`;
}

const rule = (path: string, fault: Partial<FaultRule>): FaultRule => ({ path, kind: 'status', ...fault });

describe.each(FAILURES)('$what', ({ page, path, call, fault, cold }) => {
  it('is logged, and cold it is what the specification says', async () => {
    const address = await addressOf(page);
    await site.faults([rule(path, fault)]);
    const { text, headers } = await get(address).expect(cold.status);
    expect(headers['location']).toBe(cold.location);
    if (cold.status !== 200) expect(headers['cache-control']).toBe('no-store');
    expect(mainOf(text)).toContain(cold.says ?? '');
    expect(log.text()).toContain(call);
  });

  it('warm is the page as it was', async () => {
    const address = await addressOf(page);
    const before = await get(address).expect(200);
    await site.faults([rule(path, fault)]);
    const after = await get(address).expect(200);
    expect(mainOf(after.text)).toBe(mainOf(before.text));
  });
});

describe('a menu whose call fails', () => {
  it('warm is the menu as it was', async () => {
    const before = await get('/about').expect(200);
    await site.faults([rule('/api/post/leadership', { status: 500 })]);
    const { text } = await get('/about').expect(200);
    expect(text).not.toContain('Error fetching data');
    expect(text).toBe(before.text);
  });
});

describe('an article without its author, latest or related posts', () => {
  it.each([
    ['/api/author/', 'author', 'author-box'],
    ['/api/post*/latest', 'latest', 'article-more'],
    ['/api/post/asidetopic/', 'related', 'Related Content'],
  ])('is there when %s fails, which is only logged', async (path, section, part) => {
    await site.faults([rule(path, { status: 500 })]);
    const { text } = await get(ARTICLE).expect(200);
    expect(mainOf(text)).not.toContain(part);
    expect(mainOf(text)).toContain('rich-text');
    expect(log.text()).toContain(`"section":"${section}"`);
    await site.reset();
    expect((await get('/news/eleven-regulators-one-consent-signal').expect(200)).text).toContain(part);
  });
});
