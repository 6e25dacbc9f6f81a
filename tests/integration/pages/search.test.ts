import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SearchPage } from '#shared/models/topic.ts';
import { searchPath } from '#shared/urls.ts';
import { cmsSearch, cmsSlugs } from '../../fixtures/cms-lists.ts';
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

const ODD_TERMS = [
  'a/b',
  '50%',
  '%2F',
  '%252F',
  '“x” & "y"',
  '<b>',
  '🙂',
  '.',
  '..',
  '%2E',
  'a+b',
  'a?b#c',
  '\\',
];

describe('a search page', () => {
  it('says what was searched, is not for search engines, and marks the words', async () => {
    const { text } = await get('/search/all/consent').expect(200);
    expect(headingOf(text)).toBe('Search Result : consent');
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(mainOf(text)).toMatch(/<mark>consent<\/mark>/i);
  });

  it.each(ODD_TERMS)('keeps a term as it is: %s', async (term) => {
    await site.faults([{ path: '/api/post/search/odd/*', kind: 'wrong-json', body: cmsSearch(1, 1) }]);
    const { text } = await get(searchPath('odd', term)).expect(200);
    expect(headingOf(text)).toBe(`Search Result : ${term}`);
    const { body } = await get(`/api${searchPath('odd', term)}`).expect(200);
    expect(SearchPage.parse(body).term).toBe(term);
  });

  it('has three cards and up to 97 rows, whose thumbnails are 500 wide', async () => {
    await site.faults([{ path: '/api/post/search/*', kind: 'wrong-json', body: cmsSearch(120, 3) }]);
    const main = mainOf((await get('/search/all/many').expect(200)).text);
    expect(main.match(/post-card-large/g)).toHaveLength(3);
    expect(main.match(/post-card-row/g)).toHaveLength(97);
    const rows = main.slice(main.indexOf('class="post-list"'), main.indexOf('aria-label="Pagination"'));
    const sources = [...rows.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, source]) => source);
    expect(sources).toHaveLength(97);
    for (const source of sources) expect(source).toMatch(/\?width=500$/);
  });

  it('has a window of pages from the current one minus 2, not shifted back', async () => {
    await site.faults([{ path: '/api/post/search/*', kind: 'wrong-json', body: cmsSearch(100, 10) }]);
    const numbersAt = async (page: number) => {
      const { text } = await get(`/search/all/pages?page=${page}`).expect(200);
      return linksOf(partOf(text, 'nav', 'pagination')).map(([, label]) => label);
    };
    expect(await numbersAt(1)).toEqual(['1', '2', '3', '4', '5', 'Next']);
    expect(await numbersAt(6)).toEqual(['Previous', '4', '5', '6', '7', '8', 'Next']);
    expect(await numbersAt(10)).toEqual(['Previous', '8', '9', '10']);
  });

  it('begins at page 1, also in another category, and marks the steps that lead nowhere', async () => {
    await site.faults([{ path: '/api/post/search/*', kind: 'wrong-json', body: cmsSearch(100, 2) }]);
    const first = partOf((await get('/search/all/begins').expect(200)).text, 'nav', 'pagination');
    expect(first).toMatch(/aria-current="page"[^>]*>1</);
    expect(first).toMatch(/aria-disabled="true"[^>]*>Previous</);
    const { text } = await get('/search/all/begins?page=2').expect(200);
    expect(partOf(text, 'nav', 'pagination')).toMatch(/aria-disabled="true"[^>]*>Next</);
    expect(linksOf(partOf(text, 'nav', 'filter-strip'))[1]).toEqual(['/search/news/begins', 'News']);
  });

  it('renders the first Footer-3 advertisement alone, linking to where it leads', async () => {
    const ads: { banner_type: string; dest_url: string }[] = await (
      await fetch(`${site.demoCms}/api/advertisement/get_active`)
    ).json();
    const first = ads.find(({ banner_type }) => banner_type === 'Footer-3');
    const main = mainOf((await get('/search/all/consent').expect(200)).text);
    expect(linksOf(partOf(main, 'div', 'ad-slot-frame')).map(([href]) => href)).toEqual([first?.dest_url]);
    expect(main).not.toContain('Pause');
  });

  it('with an empty term is home, and asks the upstream for nothing', async () => {
    await site.forgetCalls();
    for (const path of ['/search/all/%20', '/search/news/%20%20', '/search?term=%20'])
      expect((await request(site.origin).get(path).expect(302)).headers['location']).toBe('/');
    expect(Object.keys(await site.calls()).filter((call) => call.includes('search'))).toEqual([]);
  });

  it('says No Result For Your Search when there is none, at 200, with the strip and a way on', async () => {
    const { text } = await get('/search/news/zzzzzz').expect(200);
    expect(headingOf(text)).toBe('No Result For Your Search');
    expect(linksOf(mainOf(text))).toContainEqual(['/search/all/zzzzzz', 'Search every section']);
    expect(partOf(text, 'nav', 'filter-strip')).toMatch(/aria-current="page"[^>]*>News/);
  });

  it('says No Result For Your Search when there are no items, whatever the total', async () => {
    const { success, result } = cmsSearch(0, 1);
    const body = { success, result: { ...result, pagination: { totalItems: 5, totalPages: 1 } } };
    await site.faults([{ path: '/api/post/search/*', kind: 'wrong-json', body }]);
    const { text } = await get('/search/all/miscounted').expect(200);
    expect(headingOf(text)).toBe('No Result For Your Search');
    expect(mainOf(text)).toContain('Nothing was found for');
  });

  it.each(['status', 'broken-json', 'hang'] as const)(
    'says No Result For Your Search when the search fails (%s), at 503',
    async (kind) => {
      await site.faults([{ path: '/api/post/search/*', kind }]);
      const { text } = await get(`/search/all/fails-${kind}`, kind === 'hang' ? shortTimeoutSite : site)
        .expect(503)
        .expect('cache-control', 'no-store');
      expect(headingOf(text)).toBe('No Result For Your Search');
    },
  );

  it('says No Result For Your Search when the response is not a success', async () => {
    const body = { success: false, result: { postData: [] } };
    await site.faults([{ path: '/api/post/search/*', kind: 'wrong-json', body }]);
    const { text } = await get('/search/all/unsuccessful');
    expect(headingOf(text)).toBe('No Result For Your Search');
  });
});

describe('a search page’s strip', () => {
  it('has All and the first 8 categories in sight and items 9 to 100 behind More', async () => {
    const own = await startSiteUnderTest();
    await own.faults([{ path: '/api/category/all', kind: 'wrong-json', body: cmsSlugs('cat', 110) }]);
    const { text } = await request(own.origin).get('/search/name-2/consent').expect(200);
    const [inSight = '', rest = ''] = partOf(text, 'nav', 'filter-strip').split('<button');
    expect(linksOf(inSight)).toHaveLength(9);
    expect(linksOf(inSight)[0]).toEqual(['/search/all/consent', 'All']);
    expect(inSight).toMatch(/aria-current="page"[^>]*>Name 2</);
    expect(rest).toMatch(/>More</);
    expect(linksOf(rest).at(0)).toEqual(['/search/name-9/consent', 'Name 9']);
    expect(linksOf(rest).at(-1)).toEqual(['/search/name-100/consent', 'Name 100']);
    await own.close();
  });
});

describe('search without scripts', () => {
  it.each(ODD_TERMS)('leads from /search?term= to the page of the term: %s', async (term) => {
    const query = new URLSearchParams({ term });
    await get(`/search?${query}`).expect(302).expect('location', searchPath('all', term));
  });

  it.each(['consent\tbanner', '\0consent\r\nbanner\u007f', 'consent\uffffbanner'])(
    'searches for the words around characters that no path may have: %j',
    async (term) => {
      const query = new URLSearchParams({ term });
      await get(`/search?${query}`).expect(302).expect('location', searchPath('all', 'consent banner'));
    },
  );

  it.each(['/search', '/search?term=', '/search?term=%20%20', '/search?term=%09%00', '/search?other=x'])(
    'leads home with no term (%s)',
    async (path) => {
      await get(path).expect(302).expect('location', '/');
    },
  );
});
