import type { Page } from '@playwright/test';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { expect, test } from '../fixtures.ts';
import { LONG_WORD } from './long-word.ts';

test('a wide table and a long line of code scroll by themselves, on a phone too', async ({ page, site }) => {
  const cells = (name: string) => `<tr>${`<${name}>conversions</${name}>`.repeat(12)}</tr>`;
  const [post] = cmsPosts(1, 'wide-text');
  const html = `<table>${cells('th')}${cells('td')}</table><pre>${LONG_WORD.repeat(4)}</pre>`;
  await site.faults([
    {
      path: '/api/post/postdetails/wide-text/',
      kind: 'wrong-json',
      body: { result: [{ ...post, post_content: html }] },
    },
  ]);
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto('/wide-text/wide-text-post-1');
  await site.faults([]);
  const pieces = page.locator('.rich-text > *');
  const scrolls = await pieces.evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth));
  expect(scrolls).toEqual([true, true]);
  expect(await widthOf(page)).toBeLessThanOrEqual(320);
});

test('four hundred authors of a post take three lines of its card', async ({ page }) => {
  await page.goto('/topic/news');
  const author = page.locator('main .post-meta bdi').first();
  const lines = await author.evaluate((name) => {
    name.textContent = 'Ada Quill, '.repeat(400);
    return name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight);
  });
  expect(lines).toBeCloseTo(3, 1);
});

test('an author whose name takes several lines stands below the title', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto('/topic/news');
  const author = page.locator('main .post-meta > span').first();
  const [lines, start] = await author.evaluate((span, name) => {
    span.textContent = name;
    const text = document.createRange();
    text.selectNodeContents(span);
    const title = span.closest('article')?.querySelector('h2, h3')?.getBoundingClientRect();
    return [Array.from(text.getClientRects(), ({ left }) => left), title?.left ?? Number.NaN];
  }, `Dr ${LONG_WORD}, and ${LONG_WORD}`);
  expect(lines.length).toBeGreaterThan(2);
  expect(Math.min(...lines)).toBeGreaterThanOrEqual(start);
});

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
