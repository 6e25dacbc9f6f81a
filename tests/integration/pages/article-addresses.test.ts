import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';

let site: SiteUnderTest;
beforeAll(async () => {
  site = await startSiteUnderTest();
});
afterAll(() => site.close());
afterEach(() => site.reset());

const get = (path: string) => fetch(site.origin + path, { redirect: 'manual' });

/** Makes the upstream respond to each detail with one post, under its own slug and category. */
const everyDetailIs = (post: object) =>
  site.faults([
    {
      path: '/api/post/postdetails/*',
      kind: 'wrong-json',
      body: { result: [{ id: 7, post_title: 'Moved', post_content: '<p>Text.</p>', ...post }] },
    },
  ]);

it.each([
  ['an old slug', '/news/old-name', { cat_slug: 'news', post_name: 'new-name' }, '/news/new-name'],
  ['another category', '/featured/a-post', { cat_slug: 'news', post_name: 'a-post' }, '/news/a-post'],
  ['another case', '/News/A-Post', { cat_slug: 'news', post_name: 'a-post' }, '/news/a-post'],
  ['a slug to be escaped', '/news/x', { cat_slug: 'news', post_name: 'caf\u00e9' }, '/news/caf%C3%A9'],
])('an article asked for under %s is 301 to its own address', async (_what, path, post, location) => {
  await everyDetailIs(post);
  const response = await get(path);
  expect([response.status, response.headers.get('location')]).toEqual([301, location]);
  expect((await get(location)).status).toBe(200);
});

it('an article without slug or category of its own is at the address that it was asked for under', async () => {
  await everyDetailIs({});
  expect((await get('/news/anything')).status).toBe(200);
});

it('a category that is no section of the site is called as the upstream calls it', async () => {
  const post = {
    id: 7,
    cat_slug: 'brand-safety',
    post_name: 'a-post',
    post_title: 'A post',
    post_content: '',
  };
  const categories = [{ cat_slug: 'brand-safety', cat_name: 'Brand Safety & Trust' }];
  await site.faults([
    { path: '/api/post/postdetails/*', kind: 'wrong-json', body: { result: [post] } },
    { path: '/api/category/all', kind: 'wrong-json', body: categories },
  ]);
  const response = await get('/brand-safety/a-post');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('>Brand Safety &amp; Trust</a>');
});
