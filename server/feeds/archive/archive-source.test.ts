import { beforeEach, expect, it } from 'vitest';
import { renderArticleHtml } from '#server/article-html/render-article-html.ts';
import { createCacheMode, Frozen } from '#server/cache/cache-mode.ts';
import { UpstreamError, type UpstreamErrorKind } from '#server/cms/client/upstream-error.ts';
import { createCmsApi } from '#server/cms/cms-api.ts';
import { createCacheQueries } from '#server/content/cache-queries.ts';
import { archiveSource } from './archive-source.ts';

let asked: string[];
let response: () => Promise<unknown>;
const mode = createCacheMode(() => 0);

const cms = createCmsApi({
  client: {
    async get(path, { parse }) {
      asked.push(path);
      return parse(await response());
    },
  },
  renderHtml: renderArticleHtml,
  imageHost: '/media',
  report: () => undefined,
});
const source = archiveSource(createCacheQueries(cms), mode);

const fails = (kind: UpstreamErrorKind, status: number) => () =>
  Promise.reject(new UpstreamError(kind, 'post.topic', { status }));

beforeEach(() => {
  asked = [];
  mode.set({ mode: 'normal' });
});

it('asks for a hundred posts of a category', async () => {
  const post = { cat_slug: 'news', post_name: 'a', post_title: 'A' };
  response = async () => ({ posts: { postData: [post], pagination: { totalItems: 101, totalPages: 2 } } });
  expect(await source.page('news', 2)).toMatchObject({ posts: [{ slug: 'a' }], totalPages: 2 });
  expect(asked).toEqual(['/api/post/topic/news?page=2&limit=100']);
});

it('takes 404 for a list that does not exist, and any other failure for one', async () => {
  response = fails('not-found', 404);
  expect(await source.page('news', 1)).toEqual({ posts: [], totalPages: 0 });
  response = fails('status', 500);
  await expect(source.page('news', 1)).rejects.toThrow('500');
});

it('asks for nothing while the cache is frozen', async () => {
  mode.set({ mode: 'freeze' });
  await expect(source.categories()).rejects.toThrow(Frozen);
  await expect(source.page('news', 1)).rejects.toThrow(Frozen);
  expect(asked).toEqual([]);
});
