import type { Page } from '@playwright/test';
import { findPost } from './find-post.ts';
import { expect, test } from './fixtures.ts';

const WIDE = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"/>';
const TALL = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="900"/>';

test.describe('pictures of any shape', () => {
  for (const width of [1280, 390]) {
    for (const name of ['/', 'article', '/topic/news', '/events']) {
      test(`take the space that ${name} keeps for them, ${width} pixels wide`, async ({ page, site }) => {
        await page.setViewportSize({ width, height: 900 });
        const path = name === 'article' ? await findPost(site.newsroom, 'featured', hasNoPictures) : name;
        expect(await heightWith(TALL, path, page)).toBe(await heightWith(WIDE, path, page));
      });
    }
  }
});

test('pictures that do not come leave the mark, photos of authors a portrait, in the space that was kept', async ({
  page,
  site,
  expectedNoise,
}) => {
  expectedNoise.push(/404/);
  const path = await findPost(site.newsroom, 'featured', hasNoPictures);
  const whole = await heightWith(WIDE, path, page);
  await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
  const standIns = ['/favicon.svg', '/default-author.svg'].map((own) => page.waitForRequest(`**${own}`));
  await page.goto(path);
  await page.locator('.author-box').scrollIntoViewIfNeeded();
  await Promise.all(standIns);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(whole);
});

/** The page's height once each of its pictures is `svg`. */
async function heightWith(svg: string, path: string, page: Page): Promise<number> {
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
  await page.goto(path);
  return page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) image.loading = 'eager';
    await Promise.all(Array.from(document.images, (image) => image.decode()));
    return document.documentElement.scrollHeight;
  });
}

/** The text's own pictures are shown whole, whatever their shape. */
const hasNoPictures = (post: Record<string, unknown>) => !/<img/.test(String(post['post_content']));
