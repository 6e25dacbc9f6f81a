import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf, linksOf, mainOf, partOf, textOf } from './markup.ts';

const CALL = '/api/post/author/';
const ARTICLE = '/learning-center/choosing-a-customer-data-platform-once';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());
afterEach(() => site.reset());

const get = (path: string) => request(site.origin).get(path).redirects(0);

/** Links of the article to an author's page. */
async function authorLinks(): Promise<string[]> {
  const { text } = await get(ARTICLE).expect(200);
  return linksOf(text)
    .map(([href]) => href)
    .filter((href) => href.startsWith('/author/'));
}

describe('an author’s page', () => {
  it('says who it is, and has their posts with a Post-1 and a Footer-3 advertisement', async () => {
    const { text } = await get('/author/1').expect(200);
    expect(headingOf(text)).toBe('Ines Halloran');
    const main = mainOf(text);
    expect(textOf(partOf(main, 'header', 'author-head'))).toContain('edits this publication');
    expect(main).toContain('authors/ines-halloran.jpg');
    expect(main.match(/post-card-row/g)).toHaveLength(10);
    expect(main).toMatch(/data-slot="Post-1".*data-slot="Footer-3"/s);
  });

  it('has further pages, each with its own title and canonical address, and none beyond the last', async () => {
    const { text } = await get('/author/1?page=2').expect(200);
    expect(text).toMatch(/<title>Ines Halloran[^<]*2[^<]*<\/title>/);
    expect(text).toContain('rel="canonical" href="https://www.example.com/author/1?page=2"');
    const numbers = linksOf(partOf(text, 'nav', 'pagination')).map(([href]) => href);
    expect(numbers).toContain('/author/1');
    await get('/author/1?page=99').expect(404);
  });

  it('is a profile to search engines', async () => {
    const { text } = await get('/author/1').expect(200);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
    const graph: object[] = JSON.parse(json)['@graph'];
    const mainEntity = { '@type': 'Person', name: 'Ines Halloran', url: 'https://www.example.com/author/1' };
    expect(graph).toContainEqual(
      expect.objectContaining({
        '@type': 'ProfilePage',
        mainEntity: expect.objectContaining(mainEntity),
      }),
    );
  });

  it.each(['/author/999999', '/author/none'])('does not exist at %s', async (path) => {
    await get(path).expect(404);
  });

  it('goes by the name of the posts where the upstream says no more, with the page that it names', async () => {
    const named = { post_author: 'Ada Quill', author_url: 'https://ada.example/' };
    const postData = cmsPosts(1, 'news').map((post) => ({ ...post, ...named }));
    const body = { posts: { postData, pagination: { totalItems: 1, totalPages: 1 } } };
    await site.faults([
      { path: CALL, kind: 'wrong-json', body },
      { path: '/api/author/', kind: 'status', status: 404 },
    ]);
    const { text } = await get('/author/7').expect(200);
    expect(headingOf(text)).toBe('Ada Quill');
    expect(linksOf(mainOf(text))).toContainEqual(['https://ada.example/', 'ada.example']);
  });

  it('has its data in the API', async () => {
    const { body } = await get('/api/authors/1?page=2').expect(200);
    expect(body).toMatchObject({
      id: '1',
      author: { name: 'Ines Halloran' },
      pagination: { page: 2 },
    });
    await get('/api/authors/999999').expect(404);
  });

  it('is stale while the upstream fails, and 503 where there is no copy', async () => {
    await site.faults([{ path: CALL, kind: 'status', status: 500 }]);
    await get('/author/1').expect(503);
  });
});

describe('a link to an author', () => {
  it('is in the byline and in the box about the author, whose text stays as it is', async () => {
    expect(await authorLinks()).toHaveLength(2);
    const { text } = await get(ARTICLE);
    const [, byline = ''] = /class="article-byline">(.*?<\/time>)/s.exec(text) ?? [];
    expect(textOf(byline)).toMatch(/^By [^|]+ \| [A-Z][a-z]{2} \d+, \d{4}$/);
  });

  it.each([
    { path: CALL, kind: 'status', status: 500 } as const,
    { path: CALL, kind: 'wrong-json', body: { result: 'no such call' } } as const,
    { path: CALL, kind: 'reset' } as const,
  ])('is nowhere where the call fails, and the article as whole as any other: $kind', async (fault) => {
    await site.faults([fault]);
    expect(await authorLinks()).toEqual([]);
    const again = await get(ARTICLE).expect(200);
    expect(Number(/hit; ttl=(\d+)/.exec(again.headers['cache-status'] ?? '')?.[1])).toBeGreaterThan(5);
  });

  it.each([
    { path: CALL, kind: 'html', status: 404 } as const,
    { path: CALL, kind: 'html', status: 200 } as const,
    { path: CALL, kind: 'status', status: 404 } as const,
  ])(
    'is nowhere, and the page neither, where the upstream has no such call: $kind $status',
    async (fault) => {
      await site.faults([fault]);
      expect(await authorLinks()).toEqual([]);
      await get('/author/1').expect(404);
      // The article is whole: it is kept as long as any other.
      const again = await get(ARTICLE).expect(200);
      expect(again.headers['cache-status']).toContain('hit');
      expect(Number(/ttl=(\d+)/.exec(again.headers['cache-status'] ?? '')?.[1])).toBeGreaterThan(5);
    },
  );
});
