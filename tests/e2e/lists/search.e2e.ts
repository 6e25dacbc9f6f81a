import { searchPath } from '#shared/urls.ts';
import { expect, test } from '../fixtures.ts';

/** Terms that URL parsers change most; the others are those of `client/layout/header/search-box.component.test.tsx`. */
const ODD_TERMS = ['%2F', '..'];

test.describe('a search page', () => {
  for (const term of ODD_TERMS) {
    test(`searches for ${term} from the box and after a reload alike`, async ({ page, site }) => {
      const body = {
        success: true,
        result: {
          postData: [{ id: 1, cat_slug: 'news', post_name: 'one', post_title: 'One' }],
          pagination: { totalItems: 1, totalPages: 1 },
        },
      };
      await site.faults([{ path: '/api/post/search/', kind: 'wrong-json', body }]);
      await page.goto('/about');
      const box = page.getByRole('searchbox');
      await box.fill(term);
      await box.press('Enter');
      await expect(page.locator('h1')).toHaveText(`Search Result : ${term}`);
      await expect(page).toHaveURL(({ pathname }) => pathname === searchPath('all', term));
      await page.reload();
      await expect(page.locator('h1')).toHaveText(`Search Result : ${term}`);
      await site.faults([]);
    });
  }

  test('adds no entry to the history for the same term again', async ({ page }) => {
    await page.goto('/search/all/consent');
    const entries = await page.evaluate(() => history.length);
    const box = page.getByRole('main').getByRole('searchbox');
    const entry = () => page.evaluate<string>(() => history.state.key);
    const before = await entry();
    await box.press('Enter');
    await expect.poll(entry).not.toBe(before);
    expect(await page.evaluate(() => history.length)).toBe(entries);
  });

  test('narrows to a category by its strip and widens again', async ({ page }) => {
    await page.goto('/search/all/consent');
    const strip = page.getByRole('navigation', { name: 'Categories' });
    await strip.getByRole('link', { name: 'News' }).click();
    await expect(page).toHaveURL('/search/news/consent');
    await expect(strip.locator('[aria-current="page"]')).toHaveText('News');
    await page.getByRole('link', { name: 'Search every section' }).click();
    await expect(page).toHaveURL('/search/all/consent');
    await expect(strip.locator('[aria-current="page"]')).toHaveText('All');
  });

  test('turns its pages and goes to the top', async ({ page }) => {
    await page.goto('/search/all/the');
    const pagination = page.getByRole('navigation', { name: 'Pagination' });
    await pagination.getByRole('link', { name: 'Page 2', exact: true }).click();
    await expect(page).toHaveURL('/search/all/the?page=2');
    await expect(pagination.locator('[aria-current="page"]')).toHaveText('2');
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(page.locator('h1')).toBeFocused();
  });

  test('has the third of its large cards beside its picture where two share a row', async ({ page }) => {
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.goto('/search/all/consent');
    const third = page.locator('.card-grid > :nth-child(3)');
    await expect(third).toHaveCSS('display', 'grid');
    const [picture, title] = await Promise.all([
      third.locator('img').boundingBox(),
      third.locator('.post-card-title').boundingBox(),
    ]);
    expect(title?.x).toBeGreaterThan((picture?.x ?? Infinity) + (picture?.width ?? 0));
  });

  test('fits a phone, also with a term of one long word', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const term of ['consent', 'x'.repeat(150)]) {
      await page.goto(searchPath('all', term));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
  });
});

test.describe('search without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('works from the box in the header', async ({ page }) => {
    await page.goto('/about');
    const box = page.getByRole('searchbox');
    await box.fill('consent');
    await box.press('Enter');
    await expect(page).toHaveURL('/search/all/consent');
    await expect(page.locator('h1')).toHaveText('Search Result : consent');
  });
});
