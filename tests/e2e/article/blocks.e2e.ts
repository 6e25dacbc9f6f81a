import type { Page } from '@playwright/test';
import { FIXTURES_PATH, serveArticleBlocks } from '../../fixtures/serve-article-blocks.ts';
import { inTurn, TAKES_ALL } from '../../matrix.ts';
import { COLOUR_RULES, findViolations } from '../accessibility/find-violations.ts';
import { expect, test } from '../fixtures.ts';
import { isPainted } from '../is-painted.ts';
import { recordLayoutShifts } from '../record-layout-shifts.ts';
import { scrollTo } from '../scroll-to.ts';

const WIDTHS = [768, 390, 1280];
const TEXT_SIZES = [100, 200];
const PATH = '/learning-center/pick-a-content-system-by-its-editors';
const HEIGHT = 900;
/** Where a font comes after the first paint, a line of the headline or the deck may break elsewhere. */
const MAX_FONT_SHIFT = 0.03;
/** A picture that has no size, so that it is as large as the page says. */
const SIZELESS = '<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"/>';

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

/** Loads all pictures of the text, but for those whose size nothing says, and returns the heights of its blocks. */
async function heightsOfBlocks(): Promise<string[]> {
  await document.fonts.ready;
  for (const image of document.querySelectorAll<HTMLImageElement>('.rich-text img')) {
    if (image.matches(':not([height], .b-cover > *, .b-card > *, .b-gallery *)')) image.remove();
    image.loading = 'eager';
  }
  const blocks = [...document.querySelectorAll('.rich-text > *')];
  return blocks.map(
    (block) => `${Math.round(block.getBoundingClientRect().height)} ${block.outerHTML.slice(0, 150)}`,
  );
}

/** Sets the reader's size of text before the first paint. */
async function enlargeText(page: Page, percent: number): Promise<void> {
  await page.addInitScript((size) => {
    new MutationObserver((_, observer) => {
      document.documentElement.style.setProperty('font-size', size);
      observer.disconnect();
    }).observe(document, { childList: true });
  }, `${percent}%`);
}

const combinations = WIDTHS.flatMap((width, turn) =>
  inTurn(TEXT_SIZES, turn).flatMap((percent) =>
    inTurn([PATH, FIXTURES_PATH], turn).map((path) => ({ width, percent, path })),
  ),
);

for (const { width, percent, path } of combinations)
  test(`at ${width} pixels with text at ${percent} % the blocks of ${path} fit, shift nothing and are accessible in both schemes`, async ({
    page,
    site,
    expectedNoise,
  }) => {
    // Files of other sites, and pictures that the demo does not have.
    expectedNoise.push(/Failed to load resource/);
    await serveArticleBlocks(site);
    const shifts = await recordLayoutShifts(page);
    await enlargeText(page, percent);
    await page.setViewportSize({ width, height: HEIGHT });
    await page.goto(path);
    await isPainted(page);
    const loading = await shifts();
    const sum = loading.reduce((total, { value }) => total + value, 0);
    expect.soft(sum, JSON.stringify(loading)).toBeLessThan(MAX_FONT_SHIFT);
    const steps = await page.evaluate(() => Math.floor(document.documentElement.scrollHeight / innerHeight));
    for (let step = 1; step < steps; step += 1) {
      await scrollTo(page, step * HEIGHT);
      await isPainted(page);
    }
    expect.soft(await shifts(), 'while a reader scrolls').toEqual(loading);
    expect.soft(await page.evaluate(overflowing)).toEqual([]);
    // Nothing is below the fixed header there.
    await scrollTo(page, 0);
    expect.soft(await findViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect.soft(await findViolations(page, COLOUR_RULES)).toEqual([]);
    await site.faults([]);
  });

const OUTCOMES = ['come', 'failed'];

for (const outcomes of TAKES_ALL ? OUTCOMES.map((one) => [one]) : [OUTCOMES])
  test(`the blocks are as high before their pictures have ${outcomes.join(' or ')} as afterwards`, async ({
    page,
    site,
    expectedNoise,
  }) => {
    expectedNoise.push(/Failed to load resource/);
    await serveArticleBlocks(site);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let turn = 0;
    await page.route(/\.(?:jpg|png|webp|gif)(?:\?|$)/, async (route) => {
      const outcome = outcomes[turn++ % outcomes.length];
      await released;
      await (outcome === 'failed'
        ? route.abort()
        : route.fulfill({ contentType: 'image/svg+xml', body: SIZELESS }));
    });
    await page.goto(FIXTURES_PATH, { waitUntil: 'domcontentloaded' });
    const before = await page.evaluate(heightsOfBlocks);
    expect(before.length).toBeGreaterThan(300);
    release();
    await page.waitForFunction(() =>
      [...document.images].every(({ loading, complete }) => loading === 'lazy' || complete),
    );
    expect(await page.evaluate(heightsOfBlocks)).toEqual(before);
    await site.faults([]);
  });

test('a block in the title of details stands beside its marker', async ({ page, site }) => {
  const html = ['<h3>One</h3><p>More</p>', '<div><div>Two</div></div>', '<p>Three</p>']
    .map((title) => `<details><summary>${title}</summary><p>Text</p></details>`)
    .join('');
  await serveArticleBlocks(site, [{ block: 'details', source: 'HTML', html, shows: [] }]);
  await page.goto(FIXTURES_PATH);
  const lefts = await page
    .locator('.rich-text summary')
    .evaluateAll((titles) =>
      titles.flatMap((title) =>
        [...title.querySelectorAll('h3, p, div:not(:has(div))')].map(
          (block) => (block.getClientRects()[0]?.left ?? 0) - title.getBoundingClientRect().left > 10,
        ),
      ),
    );
  expect(lefts).toEqual([true, false, true, true]);
  await site.faults([]);
});

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

test('without a connection the button of an embed leaves the page to the reader', async ({
  page,
  context,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED/);
  await page.goto(PATH);
  const button = page.locator('figure[data-embed]').first().getByRole('button');
  await button.scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  const asksWhetherReachable = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
  await button.click();
  await asksWhetherReachable;
  await expect(button).toBeVisible();
  await expect(page).toHaveURL(({ pathname }) => pathname === PATH);
  await context.setOffline(false);
});

test('audio and video files have the browser’s controls and load nothing by themselves; floats are beside the words from 688 pixels on, and what is wide stays in the window', async ({
  page,
}) => {
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

  const floated = page.locator('.rich-text > .b-right');
  for (const [width, float] of [
    [390, 'none'],
    [768, 'right'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(floated).toHaveCSS('float', float);
  }
  const [own, text] = [await floated.boundingBox(), await page.locator('.rich-text').boundingBox()];
  expect(own?.width).toBeLessThanOrEqual(Number(text?.width) / 2);

  const wide = page.locator('.rich-text > .b-wide');
  for (const width of [768, 1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    const [box, words] = [
      await wide.boundingBox(),
      await page.locator('.rich-text > p').nth(1).boundingBox(),
    ];
    expect(box?.width).toBeGreaterThan(Number(words?.width) + 50);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(Number(box?.x) + Number(box?.width)).toBeLessThanOrEqual(width);
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
