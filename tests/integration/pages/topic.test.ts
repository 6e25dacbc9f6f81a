import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cmsSlugs, cmsTopic } from '../../fixtures/cms-lists.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksOf, mainOf, partOf } from './markup.ts';

let site: SiteUnderTest;
/** For an upstream that hangs. */
let shortTimeoutSite: SiteUnderTest;

beforeAll(async () => {
  site = await startSiteUnderTest();
  shortTimeoutSite = await startSiteUnderTest({ UPSTREAM_TIMEOUT_MS: '600' }, { demoCms: site.demoCms });
});

afterAll(async () => {
  await shortTimeoutSite.close();
  await site.close();
});

afterEach(() => site.faults([]));

const get = (path: string, from = site) => request(from.origin).get(path).redirects(0);

/** Returns the `href` of the visible page numbers and of previous and next; null where they are no links. */
async function paginationAt(page: number) {
  const { text } = await get(`/topic/many?page=${page}`).expect(200);
  const links = linksOf(partOf(text, 'nav', 'pagination'));
  const hrefOf = (name: string) => links.find(([, label]) => label === name)?.[0] ?? null;
  return {
    numbers: links.map(([, label]) => Number(label)).filter(Number.isFinite),
    previous: hrefOf('Previous'),
    next: hrefOf('Next'),
  };
}

describe('a topic page', () => {
  it('has the slug as its heading, capitalised, and the sub-category’s slug after it', async () => {
    expect(headingOf((await get('/topic/guest-author').expect(200)).text)).toBe('Guest-author');
    expect(headingOf((await get('/topic/news/customer-data').expect(200)).text)).toBe('News customer-data');
  });

  it('renders three posts large and the rest as a list, beside a Post-1 and above a Footer-3 advertisement', async () => {
    const { text } = await get('/topic/news').expect(200);
    const main = mainOf(text);
    expect(main.match(/post-card-large/g)).toHaveLength(3);
    expect(main.match(/post-card-row/g)).toHaveLength(7);
    expect(main).toMatch(/data-slot="Post-1".*data-slot="Footer-3"/s);
    expect(main.indexOf('post-card-large')).toBeLessThan(main.indexOf('post-card-row'));
  });

  it('has six sub-categories in its strip behind a disabled Filter label, the rest behind More, the current one marked', async () => {
    const { text } = await get('/topic/news/customer-data').expect(200);
    const strip = partOf(text, 'nav', 'filter-strip');
    const [inSight = '', rest = ''] = strip.split('<button');
    expect(inSight).toMatch(/aria-disabled="true"[^>]*>Filter :</);
    expect(linksOf(inSight)).toHaveLength(6);
    expect(rest).toMatch(/popoverTarget="[^"]+"[^>]*>More</);
    expect(linksOf(rest)).toHaveLength(4);
    expect(linksOf(inSight)[0]).toEqual(['/topic/news/customer-data', 'Customer Data']);
    expect(strip.match(/aria-current="page"/g)).toHaveLength(1);
    expect(strip).toMatch(/aria-current="page"[^>]*>Customer Data/);
  });

  it('shows five page numbers around the current one, shifted back at the end, and no steps beyond the ends', async () => {
    await site.faults([{ path: '/api/post/topic/many', kind: 'wrong-json', body: cmsTopic(10, 10) }]);
    expect(await paginationAt(1)).toEqual({
      numbers: [1, 2, 3, 4, 5],
      previous: null,
      next: '/topic/many?page=2',
    });
    expect(await paginationAt(6)).toEqual({
      numbers: [4, 5, 6, 7, 8],
      previous: '/topic/many?page=5',
      next: '/topic/many?page=7',
    });
    expect(await paginationAt(10)).toEqual({
      numbers: [6, 7, 8, 9, 10],
      previous: '/topic/many?page=9',
      next: null,
    });
  });

  it('names its feed, its one address, and the way to it', async () => {
    const { text } = await get('/topic/news?page=2&utm_source=x').expect(200);
    expect(text).toContain('<link rel="canonical" href="https://www.example.com/topic/news?page=2"');
    expect(text).toMatch(
      /<link rel="alternate" type="application\/rss\+xml" href="\/topic\/news\/feed.xml" title="News"/,
    );
    expect(text).toContain('BreadcrumbList');
    await get('/topic/news/feed.xml').expect(200);
  });

  it('takes a page that is no positive integer as page 1', async () => {
    const first = await get('/topic/news').expect(200);
    for (const page of ['0', '-1', 'x', '1.5', '1'])
      expect((await get(`/topic/news?page=${page}`).expect(200)).headers['etag']).toBe(first.headers['etag']);
  });

  it.each(['/topic/no-such-topic', '/topic/news/no-such-thing', '/topic/news?page=999'])(
    'goes to /no-posts where there are none (%s)',
    async (path) => {
      await get(path).expect(302).expect('location', '/no-posts').expect('cache-control', 'no-store');
    },
  );

  it.each([
    ['no list', { posts: {} }],
    ['no object', []],
    ['no pagination', { posts: { postData: [] } }],
    ['null', null],
  ])('goes to /404 when the response is malformed: %s', async (name, body) => {
    const path = `/topic/malformed-${name.replace(' ', '-')}`;
    await site.faults([{ path: `/api/post${path}`, kind: 'wrong-json', body }]);
    await get(path).expect(302).expect('location', '/404');
  });

  it.each(['broken-json', 'html'] as const)(
    'goes to /404 when the response is no JSON (%s)',
    async (kind) => {
      await site.faults([{ path: `/api/post/topic/${kind}`, kind }]);
      await get(`/topic/${kind}`).expect(302).expect('location', '/404');
    },
  );

  it.each(['status', 'reset', 'hang'] as const)(
    'is 503 with the empty state and the whole layout when it is cold and the upstream fails (%s)',
    async (kind) => {
      await site.faults([{ path: `/api/post/topic/cold-${kind}`, kind }]);
      const { text, headers } = await get(
        `/topic/cold-${kind}`,
        kind === 'hang' ? shortTimeoutSite : site,
      ).expect(503);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['retry-after']).toBeTruthy();
      expect(headingOf(text)).toBe('No Posts Available');
      expect(mainOf(text)).toContain('Sorry, there are no posts available at the moment.');
      expect(text).toContain('Other Publications');
    },
  );
});

describe('a topic page’s strip', () => {
  let own: SiteUnderTest;
  beforeEach(async () => {
    own = await startSiteUnderTest();
  });
  afterEach(() => own.close());

  const topic = () => request(own.origin).get('/topic/news').redirects(0);

  it('sends the reader to /404 when the sub-categories respond with status 500', async () => {
    await own.faults([{ path: '/api/category/subcatlist', kind: 'status', status: 500 }]);
    await topic().expect(302).expect('location', '/404');
  });

  it('is left out when the sub-categories cannot be had otherwise', async () => {
    await own.faults([{ path: '/api/category/subcatlist', kind: 'status', status: 404 }]);
    const { text } = await topic().expect(200);
    expect(text).not.toContain('Filter :');
    expect(mainOf(text).match(/post-card-large/g)).toHaveLength(3);
  });

  it('has no More where there are six or fewer', async () => {
    const body = cmsSlugs('subcat', 6);
    await own.faults([{ path: '/api/category/subcatlist', kind: 'wrong-json', body }]);
    const strip = partOf((await topic().expect(200)).text, 'nav', 'filter-strip');
    expect(linksOf(strip)).toHaveLength(6);
    expect(strip).not.toContain('More');
  });
});
