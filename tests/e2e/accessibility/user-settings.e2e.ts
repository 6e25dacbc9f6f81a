import type { Page } from '@playwright/test';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { oneInThree } from '../../matrix.ts';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

/** Text spacing that must not cut text (WCAG 1.4.12). */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`;

/** Adopted style sheets bypass the Content-Security-Policy, as those of extensions do. */
async function setSpacing(page: Page): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, SPACING);
}

/** Returns the elements whose overflowing text is cut off. */
function cutTexts(): string[] {
  const cuts = (element: Element) => {
    const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(element);
    // An excerpt and the name of a banner are cut on purpose: the article and the advertisement have the whole text.
    if (webkitLineClamp !== 'none' || element.matches('.post-card-excerpt')) return false;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    return (
      (overflowX === 'hidden' && scrollWidth > clientWidth + 1) ||
      (overflowY === 'hidden' && scrollHeight > clientHeight + 1)
    );
  };
  return [...document.querySelectorAll('body *')]
    .filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) && !element.closest('.visually-hidden'),
    )
    .filter((element) => element.textContent?.trim() && cuts(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 100));
}

test('text may be set wider without a word cut off, wide and narrow', async ({ page, site }) => {
  const article = await findPost(site.demoCms, 'featured', isLong);
  const paths = [article, '/topic/news', '/tag/customer-data', '/', '/events', '/contact-us'];
  for (const path of oneInThree(paths)) {
    await page.goto(path);
    await setSpacing(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const where = `${path}, ${width} pixels wide`;
      expect.soft(await page.evaluate(cutTexts), where).toEqual([]);
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth), where)
        .toBeLessThanOrEqual(width);
    }
  }
});

test('the selected tab, the current menu, play signs, buttons and progress are seen in forced colours', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const linesBelow = (selector: string) =>
    page.locator(selector).evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomWidth));
  await page.goto('/events?tab=past');
  expect(await linesBelow('.events-tabs a')).toEqual(['0px', '0px', '2px']);
  expect(await linesBelow('.menus-item > :first-child')).toEqual(['0px', '0px', '0px', '2px', '0px']);
  await page.goto('/');
  expect(await linesBelow('[role="tab"]')).toEqual(['2px', '0px']);
  await expect(page.locator('.button').first()).toHaveCSS('border-top-width', '1px');
  const watch = await page
    .locator('.podcast-feature-watch')
    .evaluate((button) => getComputedStyle(button, '::before').borderTopWidth);
  expect(watch).toBe('7px');
  await page.goto('/topic/podcasts');
  expect(await linesBelow('.menus-item > :first-child')).toEqual(['0px', '2px', '0px', '0px', '0px']);
  const [disc, sign] = await page
    .locator('.post-card-play')
    .first()
    .evaluate((icon) =>
      [getComputedStyle(icon), getComputedStyle(icon, '::after')].map((style) => style.backgroundColor),
    );
  expect(disc).not.toBe(sign);
  await page.locator('main .post-card-title a').first().click();
  await expect(page.locator('.reading-progress')).toHaveCSS('border-bottom-width', '3px');
});

test('an article is printed alone: its head, picture and text', async ({ page, site }) => {
  await page.goto(await findPost(site.demoCms, 'featured', isLong));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const part of ['h1', '.article-byline', '.rich-text']) await expect(page.locator(part)).toBeVisible();
  for (const part of [
    '.menus',
    '.header-tools',
    '.footer',
    '.article-next',
    '.article-side',
    '.article-more',
    '.share',
    '.contents',
  ])
    await expect(page.locator(part).first()).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
});

test('no page is printed with advertisements', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  for (const path of ['/topic/news', '/events/agents-at-work-berlin']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const part of await page.locator('.ad-slot').all()) await expect.soft(part, path).toBeHidden();
  }
});

test('players that are not printed leave no space', async ({ page }) => {
  await page.goto('/learning-center/pick-a-content-system-by-its-editors');
  await page.emulateMedia({ media: 'print' });
  const heights = await page
    .locator('.b-embed')
    .evaluateAll((embeds) => embeds.map(({ clientHeight }) => clientHeight));
  expect(heights.length).toBeGreaterThan(1);
  expect(Math.max(...heights)).toBeLessThan(120);
});

test('wide tables and code are printed whole', async ({ page, site }) => {
  const [post] = cmsPosts(1, 'news');
  const cells = Array.from({ length: 12 }, (_, index) => `<td>column-${index}</td>`).join('');
  const body = `<table><tr>${cells}</tr></table><pre>${'code '.repeat(60)}</pre>`;
  const path = '/news/a-wide-table';
  await site.faults([
    {
      path: `/api/post/postdetails${path}`,
      kind: 'wrong-json',
      body: { result: [{ ...post, post_name: 'a-wide-table', post_content: body }] },
    },
  ]);
  await page.goto(path);
  await site.faults([]);
  const cutParts = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('.table-scroll, pre'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ tagName }) => tagName),
    );
  expect(await cutParts()).toEqual(['DIV', 'PRE']);
  await page.emulateMedia({ media: 'print' });
  expect(await cutParts()).toEqual([]);
});
