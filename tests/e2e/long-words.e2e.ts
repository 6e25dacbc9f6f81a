import type { Page } from '@playwright/test';
import { findPost } from './find-post.ts';
import { expect, test } from './fixtures.ts';

/** Languages that compound their nouns have them, addresses on the web are as long. */
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

for (const width of [320, 768, 1280]) {
  test(`words of eighty letters widen no page of ${width} px, whatever is open`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 900 });
    const event = (await (await fetch(`${site.origin}/api/events`)).json()).events[0].slug;
    const paths = [
      '/',
      '/topic/news',
      '/tag/customer-data',
      '/search/all/consent',
      '/events',
      `/events/${event}`,
      await findPost(site.newsroom, 'podcasts', () => true),
      '/sitemap',
    ];
    for (const path of paths) {
      await page.goto(path);
      await openAll(page);
      await lengthenWords(page);
      expect.soft(await widthOf(page), path).toBeLessThanOrEqual(width);
    }
  });
}

const openAll = (page: Page) =>
  page.locator('main details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });

/** In every text that may be the upstream's. */
function lengthenWords(page: Page): Promise<void> {
  return page.locator('main').evaluate((main, word) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.textContent?.trim() && !text.parentElement?.closest('button, [aria-disabled]'))
        text.textContent = `${word} ${word}`;
    }
  }, WORD);
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
