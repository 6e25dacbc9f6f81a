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
});
