import { defaultSite } from '#shared/site.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { findViolations } from './accessibility/find-violations.ts';
import { expect, test } from './fixtures.ts';

/** One of each kind, beside an article. */
const PATHS = ['/', '/topic/news', '/about', '/contact-us', '/privacy-policy', '/impressum', '/opt-out-form'];
const OURS = [defaultSite.name, defaultSite.publisher, defaultSite.tagline, 'martechmeridian'];

test.describe('the example of a site folder', () => {
  let site: SiteUnderTest;
  test.beforeAll(async () => {
    site = await startSiteUnderTest({ SITE_DIR: 'examples/site' });
  });
  test.afterAll(() => site.close());

  test('has its own name, colours and logo on every page, without a violation of axe', async ({ page }) => {
    await page.route('https://zaehler.example/**', (route) => route.fulfill({ status: 204 }));
    const { top } = await (await fetch(`${site.origin}/api/home`)).json();
    for (const path of [...PATHS, `/${top[0].category}/${top[0].slug}`]) {
      await page.goto(site.origin + path);
      await page.waitForSelector('html[data-hydrated]');
      const html = await page.content();
      for (const word of OURS) expect(html, path).not.toContain(word);
      await expect(page.locator('header img.logo').first()).toHaveAttribute('src', /\/assets\/site\/logo\./);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      );
      expect(await findViolations(page), path).toEqual([]);
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
