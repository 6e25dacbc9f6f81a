import type { Page } from '@playwright/test';
import { oneInThree } from '../../matrix.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';

/** What the head says of the page. The tags for sharing stay those of the document that was loaded. */
const headOf = (page: Page) =>
  page
    .locator('head :is(title, [name]:not([name^="twitter:"]), [rel="canonical"], [rel="alternate"])')
    .evaluateAll((tags) => tags.map(({ outerHTML }) => outerHTML).sort());

test('the head of each page after a navigation is that of its document', async ({
  page,
  context,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  // Frames of a page that fades into another take as long as the rest of the test.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const loaded = await context.newPage();
  await page.goto('/topic/podcasts');
  for (const [name, path] of oneInThree([...PAGE_PATHS], 2)) {
    await loaded.goto(site.origin + path);
    await page.evaluate((href) => {
      const link = document.createElement('a');
      link.href = href;
      document.body.append(link);
      link.click();
    }, path);
    await expect(page).toHaveURL(site.origin + path);
    await expect.poll(() => headOf(page), name).toEqual(await headOf(loaded));
  }
});
