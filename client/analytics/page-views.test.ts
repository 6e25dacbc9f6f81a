import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { countPageViews } from './page-views.ts';

/** Opens `first` as the server's document would, and then follows `paths`. Returns the counted ids. */
async function viewsOf(first: string, paths: readonly (string | number)[]): Promise<string[]> {
  const counted: string[] = [];
  const routes = [
    { id: 'home', path: '/' },
    {
      id: 'article',
      path: '/:category/:slug',
      loader: ({ params }: { params: { slug?: string } }) => ({ article: { id: params.slug } }),
    },
  ];
  const loaderData = first === '/' ? {} : { article: { article: { id: first.split('/')[2] } } };
  const router = createMemoryRouter(routes, { initialEntries: [first], hydrationData: { loaderData } });
  countPageViews(router, (id) => counted.push(id));
  for (const path of paths) await (typeof path === 'number' ? router.navigate(path) : router.navigate(path));
  return counted;
}

test('counts each article that a navigation opens, also again later, and not the one of the document', async () => {
  expect(await viewsOf('/news/one', ['/news/two', '/news/one'])).toEqual(['two', 'one']);
  expect(await viewsOf('/', ['/news/one', '/', '/news/one'])).toEqual(['one', 'one']);
});

test('does not count a jump to a note of the article, nor the way back from it', async () => {
  expect(await viewsOf('/', ['/news/one', '/news/one#note', '/news/one#other', '/news/one'])).toEqual([
    'one',
  ]);
  expect(await viewsOf('/news/one', ['/news/one#note'])).toEqual([]);
});
