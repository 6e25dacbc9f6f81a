import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { oneInThree } from '../../matrix.ts';
import { findPost } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

const WIDE = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>';
const WIDTHS = [1280, 390] as const;
const TALL = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="900"/>';

test('pictures of any shape take the space that a page keeps for them, wide and narrow', async ({
  page,
  site,
}) => {
  const article = await findPost(site.demoCms, 'featured', hasNoPictures);
  for (const path of oneInThree([article, '/topic/news', '/events', '/']))
    expect(await heightsWith(TALL, path, page), path).toEqual(await heightsWith(WIDE, path, page));
});

test('pictures that do not come look alike, whatever they are named, and take the space that was kept', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  const [whole] = await heightsWith(WIDE, '/topic/news', page);
  await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
  // Without motion: cards would be measured during their animation.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/topic/news');
  const picture = page.locator('main .responsive-image').nth(1);
  await expect(picture).toHaveClass(/is-empty/);
  const named = await picture.screenshot();
  await picture.evaluate((image) => image.setAttribute('alt', 'another-name'));
  expect(await picture.screenshot()).toEqual(named);
  expect(await heightOf(page)).toBe(whole);
});

test('a picture that fails becomes the placeholder, before hydration and after', async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
  await page.goto('/topic/news');
  const lead = page.locator('.topic-large .responsive-image').first();
  await expect(lead).toHaveClass(/is-empty/);
  const last = page.locator('.post-list .responsive-image').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveClass(/is-empty/);
  await expect(page.locator('.topic img.responsive-image')).toHaveCount(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pictures that do not come look alike too, advertisements among them', async ({
    page,
    expectedNoise,
  }) => {
    expectedNoise.push(/404/);
    await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/');
      for (const slot of ['Home-2', 'Footer-3']) {
        const picture = page.locator(`[data-slot="${slot}"] img`);
        await picture.scrollIntoViewIfNeeded();
        await expect(picture).toHaveJSProperty('complete', true);
        const named = await picture.screenshot();
        await picture.evaluate((image) => image.setAttribute('alt', 'another-name'));
        expect(await picture.screenshot(), `${slot}, ${width} pixels wide`).toEqual(named);
      }
    }
  });
});

test('a picture in a text that fails is its alternative text on a tint, without the browser’s icon', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  const [post] = cmsPosts(1, 'failed-picture');
  const post_content = '<img src="/none.jpg" alt="Costs by year" width="800" height="450">';
  const path = '/api/post/postdetails/failed-picture/';
  await site.faults([{ path, kind: 'wrong-json', body: { result: [{ ...post, post_content }] } }]);
  await page.goto('/failed-picture/failed-picture-post-1');
  await site.faults([]);
  const picture = page.locator('.rich-text img');
  await picture.scrollIntoViewIfNeeded();
  await expect(picture).toHaveJSProperty('complete', true);
  const isOneColour = async () => {
    // Without its edges, which are between two pixels.
    const inside = sharp(await picture.screenshot()).extract({ left: 2, top: 2, width: 600, height: 300 });
    const { channels } = await sharp(await inside.toBuffer()).stats();
    return channels.every(({ min, max }) => min === max);
  };
  expect(await isOneColour()).toBe(false);
  await picture.evaluate((image) => image.setAttribute('alt', ' '));
  expect(await isOneColour()).toBe(true);
});

test('a picture shows no alternative text while it loads', async ({ page }) => {
  await page.goto('/topic/news');
  await expect(page.locator('.topic-large img').first()).toHaveCSS('color', 'rgba(0, 0, 0, 0)');
});

/** Returns the page's height in each width when each of its pictures is `svg`. */
async function heightsWith(svg: string, path: string, page: Page): Promise<number[]> {
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
  const heights: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    if (heights.length === 0) await page.goto(path);
    await page.evaluate(async () => {
      for (const image of document.images) image.loading = 'eager';
      await Promise.all(Array.from(document.images, (image) => image.decode()));
    });
    heights.push(await heightOf(page));
  }
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
  return heights;
}

const heightOf = (page: Page) =>
  page.evaluate(() => document.fonts.ready.then(() => document.documentElement.scrollHeight));

/** Pictures in the article's text are shown whole, whatever their shape. */
const hasNoPictures = (post: Record<string, unknown>) => !/<img/.test(String(post['post_content']));
