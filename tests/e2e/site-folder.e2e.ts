import { defaultSite } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { textsOf } from '#shared/texts/languages.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { oneInThree } from '../matrix.ts';
import { COLOUR_RULES, findViolations } from './accessibility/find-violations.ts';
import { expect, test } from './fixtures.ts';

/** One of each kind, beside an article. */
const PATHS = [
  '/',
  '/topic/news',
  '/events',
  '/impressum',
  '/search/all/data',
  '/search/all/xyzzy',
  '/about',
  '/contact-us',
  '/privacy-policy',
  '/opt-out-form',
  '/subscribe',
  '/sitemap',
  '/no-posts',
  '/nothing-here',
];
/** Pages of which axe sees everything; of the others, whose structure is that of every site, colours alone. */
const SEEN_WHOLE = new Set(['/', '/impressum']);
/** Texts of the interface that are others in German. */
const ENGLISH = Object.entries(textsOf('de') ?? {}).flatMap(([text, own]) => (text === own ? [] : [text]));
const OURS = [defaultSite.name, defaultSite.publisher, defaultSite.tagline, 'martechmeridian'];

/** Returns every text of a page, those of labels included. */
function shownTexts(): string[] {
  const texts: string[] = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) texts.push(nodes.currentNode.textContent ?? '');
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-roledescription'])
      texts.push(element.getAttribute(name) ?? '');
  return texts.map((text) => text.trim());
}

test.describe('the example of a site folder', () => {
  test.use({ expectedNoise: [/status of 404/] });
  let site: SiteUnderTest;
  test.beforeAll(async () => {
    site = await startSiteUnderTest({ SITE_DIR: 'examples/site' });
  });
  test.afterAll(() => site.close());

  test('takes an opt-out by the address alone', async ({ page }) => {
    await page.route('https://zaehler.example/**', (route) => route.fulfill({ status: 204 }));
    await page.goto(`${site.origin}/opt-out-form`);
    await page.waitForSelector('html[data-hydrated]');
    const form = page.locator('main form');
    await form.getByRole('textbox').fill('a.reader@example.com');
    await form.getByRole('button').click();
    await expect(form.getByRole('status')).toHaveText(textsOf('de')?.[en.sent] ?? '');
  });

  test('has its own name, colours, logo and language on every page, without a violation of axe', async ({
    page,
  }) => {
    await page.route('https://zaehler.example/**', (route) => route.fulfill({ status: 204 }));
    const { top } = await (await fetch(`${site.origin}/api/home`)).json();
    for (const path of [...oneInThree(PATHS), `/${top[0].category}/${top[0].slug}`]) {
      await page.goto(site.origin + path);
      await page.waitForSelector('html[data-hydrated]');
      const html = await page.content();
      for (const word of OURS) expect(html, path).not.toContain(word);
      await expect(page.locator('header img.logo').first()).toHaveAttribute('src', /\/assets\/site\/logo\./);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      );
      expect(await findViolations(page, SEEN_WHOLE.has(path) ? undefined : COLOUR_RULES), path).toEqual([]);
      const shown = await page.evaluate(shownTexts);
      expect(
        shown.filter((text) => ENGLISH.includes(text)),
        path,
      ).toEqual([]);
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
    }
  });

  test('tells its script of the first page and of each navigation', async ({ page }) => {
    const counted: string[] = [];
    await page.route('https://zaehler.example/**', (route) => {
      counted.push(new URL(route.request().url()).searchParams.get('seite') ?? '');
      return route.fulfill({ status: 204 });
    });
    await page.goto(`${site.origin}/about`);
    await expect.poll(() => counted).toEqual(['/about']);
    await page.getByRole('link', { name: 'Impressum' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Impressum' })).toBeVisible();
    await expect.poll(() => counted).toEqual(['/about', '/impressum']);
  });
});
