import { z } from 'zod';
import { expect, test } from './fixtures.ts';
import { type SitePage, WIDE } from './site-page.ts';

test.use({
  siteEnv: { CDN: 'varnish', CDN_PURGE_URL: 'http://127.0.0.1:9/' },
  hasBackForwardCache: true,
});

const Home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });
const Article = z.object({ article: z.object({ id: z.string() }) });
const Views = z.object({ views: z.array(z.object({ postId: z.string() })) });

const readJson = async (url: string): Promise<unknown> => (await fetch(url)).json();

/** Follows a link out of the document and comes back. Returns whether the back-forward cache had kept the document. */
async function leaveAndComeBack(sitePage: SitePage, path: string): Promise<boolean> {
  await sitePage.until(
    'nothing is loading',
    () =>
      document.readyState === 'complete' &&
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await sitePage.leave(() => {
    document.documentElement.dataset['kept'] = '';
    location.href = '/about';
  });
  await sitePage.until(
    'the other document is hydrated',
    () => location.pathname === '/about' && 'hydrated' in document.documentElement.dataset,
  );
  await sitePage.goBack();
  await sitePage.until(
    `${path} is hydrated again`,
    (before) => location.pathname === before && 'hydrated' in document.documentElement.dataset,
    path,
  );
  return sitePage.evaluate(() => 'kept' in document.documentElement.dataset);
}

/** A document is not kept while it is still loading something. Chromium's headless shell keeps none. */
const MAX_RETURNS = { chromium: 1, firefox: 10, webkit: 10 };

test('behind a CDN an article reports its view once for each time that it is shown, also from the back-forward cache', async ({
  sitePage,
  site,
  engine,
}) => {
  const idOf = async (path: string) =>
    Article.parse(await readJson(`${site.origin}/api/articles${path}`)).article.id;
  const counted = async () =>
    Views.parse(await readJson(`${site.demoCms}/demo-cms/views`)).views.map(({ postId }) => postId);
  const [top] = Home.parse(await readJson(`${site.origin}/api/home`)).top;
  const first = `/${top?.category}/${top?.slug}`;
  const shown = [await idOf(first)];
  await sitePage.open(first, WIDE);
  await expect.poll(counted).toEqual(shown);

  await sitePage.click('main h3 a');
  await sitePage.until(
    'another article is shown',
    (before) => location.pathname !== before && /^\/[a-z-]+\/[a-z0-9-]+$/.test(location.pathname),
    first,
  );
  const second = await sitePage.evaluate(() => location.pathname);
  shown.push(await idOf(second));
  await expect.poll(counted).toEqual(shown);

  let isKept = false;
  for (let returns = 0; !isKept && returns < MAX_RETURNS[engine]; returns++) {
    isKept = await leaveAndComeBack(sitePage, second);
    shown.push(await idOf(second));
    await expect.poll(counted).toEqual(shown);
  }
  if (engine !== 'chromium') expect(isKept).toBe(true);

  // Views are counted in the order in which they were reported: after this one no other is on its way.
  await fetch(`${site.origin}/api/views`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ postId: shown[0] }),
  });
  await expect.poll(counted).toEqual([...shown, shown[0]]);
});
