import { expect, test } from '../fixtures.ts';

test.use({ javaScriptEnabled: false });

for (const width of [1280, 390]) {
  test.describe(`without scripts, ${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('Latest and Popular stand one after another below headings, and no button is dead', async ({
      page,
    }) => {
      await page.goto('/events');
      await page.goto((await page.locator('.event-card a').first().getAttribute('href')) ?? '');
      for (const name of ['Latest', 'Popular']) {
        const panel = page.getByRole('tabpanel', { name });
        await expect(panel.getByRole('heading', { name, exact: true })).toBeVisible();
        await expect(panel.getByRole('link').first()).toBeVisible();
      }
      await expect(page.getByRole('tab')).toHaveCount(0);
    });

    test('a section’s See More is shown and read as a whole', async ({ page }) => {
      await page.goto('/tag/customer-data');
      const more = page.locator('main').getByRole('link', { name: 'See More of News', exact: true });
      await expect(more).toHaveCSS('font-size', '13px');
      await expect(more.locator('.visually-hidden')).toHaveCSS('width', '1px');
    });

    test('the contents of an article are open under their title, and entries link to headings', async ({
      page,
      site,
    }) => {
      const list = await (await fetch(`${site.origin}/api/topics/featured`)).json();
      await page.goto(`/featured/${list.posts[0].slug}`);
      await expect(page.getByRole('button', { name: 'Table of Contents' })).toHaveCount(0);
      const entry = page.locator('.contents-entries a').first();
      await expect(entry).toBeVisible();
      await entry.click();
      await expect(page.locator(`.rich-text :target`)).toBeInViewport();
    });
  });
}
