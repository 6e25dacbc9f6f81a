import type { Page } from '@playwright/test';
import { FIXTURES_PATH, serveArticleBlocks } from '../../fixtures/serve-article-blocks.ts';
import { COLOUR_RULES, findViolations } from '../accessibility/find-violations.ts';
import { expect, test } from '../fixtures.ts';
import { isPainted } from '../is-painted.ts';
import { scrollTo } from '../scroll-to.ts';

const WIDTHS = [390, 768, 1280];
const PATH = '/learning-center/pick-a-content-system-by-its-editors';
/** Returns elements of the text that reach out of their column, but for those that scroll by themselves. */
function overflowing(): string[] {
  const { clientWidth } = document.documentElement;
  const beyond = [...document.querySelectorAll('.rich-text *')].filter((element) => {
    const { right, left, width } = element.getBoundingClientRect();
    return (
      width > 0 && (right > clientWidth + 1 || left < -1) && !element.closest('pre, .table-scroll, math')
    );
  });
  return beyond.map(({ outerHTML }) => outerHTML.slice(0, 100));
}

/** Records layout shifts from before a page's first byte. */
async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'));
      Reflect.set(window, 'shifts', sum);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Number(Reflect.get(window, 'shifts') ?? 0));
}

for (const path of [PATH, FIXTURES_PATH]) {
  test(`the blocks of ${path} fit every width, shift nothing and are accessible in both schemes`, async ({
    page,
    site,
    expectedNoise,
  }) => {
    // Files of other sites, and pictures that the demo does not have.
    expectedNoise.push(/Failed to load resource/);
    await serveArticleBlocks(site);
    const shifts = await recordShifts(page);
    await page.goto(path);
    expect(await shifts()).toBeLessThan(0.01);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await page.evaluate(overflowing), `${width}`).toEqual([]);
    }
    expect(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, COLOUR_RULES)).toEqual([]);
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await page.evaluate(overflowing), `${width} with text at 200 %`).toEqual([]);
    }
    await site.faults([]);
  });
}

test('a long formula scrolls by itself on a narrow screen', async ({ page, site }) => {
  const terms = Array.from({ length: 60 }, (_, n) => `<mi>x</mi><mo>+</mo><mn>${n}</mn>`).join('');
  const html = ['block', 'inline']
    .map((display) => `<p>A sum: <math display="${display}">${terms}</math></p>`)
    .join('');
  await serveArticleBlocks(site, [{ block: 'formula', source: 'HTML', html, shows: [] }]);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(FIXTURES_PATH);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const formulas = page.locator('.rich-text math');
  await expect(formulas).toHaveCount(2);
  for (const formula of await formulas.all())
    expect(
      await formula.evaluate((math) => [math.scrollWidth > math.clientWidth, math.clientWidth < 390]),
    ).toEqual([true, true]);
  expect(await findViolations(page)).toEqual([]);
  await site.faults([]);
});

for (const path of [PATH, FIXTURES_PATH])
  test(`nothing of ${path} shifts while a reader scrolls through it`, async ({
    page,
    site,
    expectedNoise,
  }) => {
    expectedNoise.push(/Failed to load resource/);
    await serveArticleBlocks(site);
    const shifts = await recordShifts(page);
    await page.goto(path);
    await isPainted(page);
    // The fonts of the page's head have come by now.
    const loaded = await shifts();
    const steps = await page.evaluate(() => Math.floor(document.documentElement.scrollHeight / innerHeight));
    for (let step = 1; step < steps; step += 1) {
      await scrollTo(page, step * 900);
      await isPainted(page);
    }
    expect(await shifts()).toBe(loaded);
    await site.faults([]);
  });

test('an embed tells its provider of a reader only when its button is used; its link is there before and after', async ({
  page,
}) => {
  const asked: string[] = [];
  await page.route(/youtube|spotify|ytimg/, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A player</title>' });
  });
  await page.goto(PATH);
  const figure = page.locator('figure[data-embed]').first();
  const button = figure.getByRole('button', { name: 'Load the video from YouTube' });
  const link = figure.getByRole('link', { name: 'Open the video on YouTube' });
  await button.scrollIntoViewIfNeeded();
  await expect(link).toHaveAttribute('href', 'https://www.youtube.com/watch?v=mEr1d1anMMd');
  expect(asked).toEqual([]);
  const before = await figure.boundingBox();
  await button.click();
  // Its document is in a process of its own: whether that has the window's focus by now does not matter.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.matches('figure[data-embed] > iframe')))
    .toBe(true);
  await expect.poll(() => asked).toEqual(['https://www.youtube-nocookie.com/embed/mEr1d1anMMd']);
  expect((await figure.boundingBox())?.height).toBe(before?.height);
  await expect(link).toBeVisible();
});

test('audio and video files have the browser’s controls and load nothing by themselves', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(PATH);
  for (const kind of ['audio', 'video']) {
    const media = page.locator(`.rich-text ${kind}`);
    await media.scrollIntoViewIfNeeded();
    await expect(media).toHaveAttribute('controls');
    await expect(media).toHaveAttribute('preload', 'none');
  }
  expect(asked.filter((url) => /\.mp[34]/.test(url))).toEqual([]);
});

test('floats are beside the words from 688 pixels on, and above them on phones', async ({ page }) => {
  await page.goto(PATH);
  const figure = page.locator('.rich-text > .b-right');
  for (const [width, float] of [
    [390, 'none'],
    [768, 'right'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(figure).toHaveCSS('float', float);
  }
  const [own, text] = [await figure.boundingBox(), await page.locator('.rich-text').boundingBox()];
  expect(own?.width).toBeLessThanOrEqual(Number(text?.width) / 2);
});

test('what the author made wide is wider than the text, and stays in the window', async ({ page }) => {
  await page.goto(PATH);
  const figure = page.locator('.rich-text > .b-wide');
  for (const width of [768, 1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    const [own, words] = [
      await figure.boundingBox(),
      await page.locator('.rich-text > p').nth(1).boundingBox(),
    ];
    expect(own?.width).toBeGreaterThan(Number(words?.width) + 50);
    expect(own?.x).toBeGreaterThanOrEqual(0);
    expect(Number(own?.x) + Number(own?.width)).toBeLessThanOrEqual(width);
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('an embed is its title and a link, without an empty stage', async ({ page }) => {
    await page.goto(PATH);
    const figure = page.locator('figure[data-embed]').first();
    await expect(figure.getByRole('link', { name: 'Open the video on YouTube' })).toBeVisible();
    expect((await figure.boundingBox())?.height).toBeLessThan(120);
  });
});
