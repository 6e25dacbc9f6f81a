import { oneInThree } from '../../matrix.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';
import { smallTargets } from './small-targets.ts';

const LEAST = 44;

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test(`targets are at least ${LEAST} px high and wide`, async ({ page, expectedNoise }) => {
    expectedNoise.push(/404/);
    for (const path of oneInThree([...PAGE_PATHS.values()], 1)) {
      await page.goto(path);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 });
        expect.soft(await page.evaluate(smallTargets, LEAST), `${path}, ${width} pixels wide`).toEqual([]);
      }
    }
  });

  test('targets of a search without results, an open contents list and short titles are as large', async ({
    page,
  }) => {
    const shortenText = (selector: string) =>
      page.locator(selector).evaluate((link) => {
        link.textContent = 'Ads';
      });
    await page.goto('/search/all/no-such-word');
    await expect(page.locator('.search-topics a')).not.toHaveCount(0);
    expect.soft(await page.evaluate(smallTargets, LEAST)).toEqual([]);

    await page.goto('/');
    await shortenText('.podcast-feature h3 a');
    expect.soft(await page.evaluate(smallTargets, LEAST)).toEqual([]);

    await page.goto(PAGE_PATHS.get('article') ?? '');
    await page.evaluate(() => window.scrollTo(0, 1500));
    await page.getByRole('button', { name: 'Table of Contents' }).click();
    await shortenText('.article-head .kicker a');
    expect.soft(await page.evaluate(smallTargets, LEAST)).toEqual([]);
  });
});
