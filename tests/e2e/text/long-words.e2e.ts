import type { Page } from '@playwright/test';
import { cmsPosts } from '../../fixtures/cms-lists.ts';
import { findPost } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { PAGE_PATHS } from '../page-paths.ts';

/** As long as compound nouns and URLs are. */
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

test('words of eighty letters widen no page, whatever is open', async ({ page, site, expectedNoise }) => {
  expectedNoise.push(/404/);
  const podcast = await findPost(site.demoCms, 'podcasts', () => true);
  for (const path of [...PAGE_PATHS.values(), podcast]) {
    await page.goto(path);
    await openAll(page);
    await lengthenWords(page);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await widthOf(page), `${path}, ${width} pixels wide`).toBeLessThanOrEqual(width);
    }
  }
});

test('a wide table and a long line of code scroll by themselves, on a phone too', async ({ page, site }) => {
  const cells = (name: string) => `<tr>${`<${name}>conversions</${name}>`.repeat(12)}</tr>`;
  const [post] = cmsPosts(1, 'wide-text');
  const html = `<table>${cells('th')}${cells('td')}</table><pre>${WORD.repeat(4)}</pre>`;
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

test('an author whose name takes several lines is named whole', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto('/topic/news');
  const author = page.locator('main .post-meta > span').first();
  const [lines, start] = await author.evaluate((span, name) => {
    span.textContent = name;
    const text = document.createRange();
    text.selectNodeContents(span);
    const title = span.closest('article')?.querySelector('h2, h3')?.getBoundingClientRect();
    return [Array.from(text.getClientRects(), ({ left }) => left), title?.left ?? Number.NaN];
  }, `Dr ${WORD}, and ${WORD}`);
  expect(lines.length).toBeGreaterThan(2);
  expect(Math.min(...lines)).toBeGreaterThanOrEqual(start);
});

const openAll = (page: Page) =>
  page.locator('main details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });

/** Puts the word into every text that may come from the upstream. */
function lengthenWords(page: Page): Promise<void> {
  return page.locator('main').evaluate((main, word) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.textContent?.trim() && !text.parentElement?.closest('button, [aria-disabled], [href^="tel:"]'))
        text.textContent = `${word} ${word}`;
    }
  }, WORD);
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
