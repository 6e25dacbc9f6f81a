import { expect, test } from '../fixtures.ts';

test.use({ javaScriptEnabled: false });

const WIDTHS = [1280, 390];

test('without scripts Latest and Popular stand one after another below headings, and no button is dead', async ({
  page,
}) => {
  await page.goto('/events');
  await page.goto((await page.locator('.event-card a').first().getAttribute('href')) ?? '');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['Latest', 'Popular']) {
      const panel = page.getByRole('tabpanel', { name });
      await expect(panel.getByRole('heading', { name, exact: true }), `${width}`).toBeVisible();
      await expect(panel.getByRole('link').first(), `${width}`).toBeVisible();
    }
    await expect(page.getByRole('tab'), `${width}`).toHaveCount(0);
  }
});

test('without scripts a section’s See More is shown and read as a whole', async ({ page }) => {
  await page.goto('/tag/customer-data');
  const more = page.locator('main').getByRole('link', { name: 'See More of News', exact: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expect(more, `${width}`).toHaveCSS('font-size', '13px');
    await expect(more.locator('.visually-hidden'), `${width}`).toHaveCSS('width', '1px');
  }
});

test('without scripts the contents of an article are open under their title, and entries link to headings', async ({
  page,
  site,
}) => {
  const list = await (await fetch(`${site.origin}/api/topics/featured`)).json();
  const entry = page.locator('.contents-entries a').first();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/featured/${list.posts[0].slug}`);
    await expect(page.getByRole('button', { name: 'Table of Contents' }), `${width}`).toHaveCount(0);
    await expect(entry, `${width}`).toBeVisible();
    await entry.click();
    await expect(page.locator(`.rich-text :target`), `${width}`).toBeInViewport();
  }
});
