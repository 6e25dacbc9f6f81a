import type { Locator, Page } from '@playwright/test';
import { findPost, isLong } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';
import { scrollTo } from '../scroll-to.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

const hasLead = (post: Record<string, unknown>) => isLong(post) && Number(post['banner_show']) === 1;
const hasPullQuote = (post: Record<string, unknown>) =>
  hasLead(post) && /wp-block-pullquote/.test(String(post['post_content']));

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not rendered`);
  return { ...box, end: box.x + box.width, bottom: box.y + box.height };
}

/** Returns what of `selector` is seen through the contents list: elements that it overlaps and that are in the window. */
function coveredByContents(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((covered) => {
    const contents = document.querySelector('.contents')?.getBoundingClientRect();
    if (!contents) return ['there is no contents list'];
    return [...document.querySelectorAll(covered)]
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isBeside = right <= contents.left || left >= contents.right;
        return !isBeside && bottom > contents.top && top < contents.bottom;
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 80));
  }, selector);
}

test.describe('an article whose text is on its way', () => {
  // A document that a test sends may ask nothing of this machine.
  const expectedNoise = [/loopback|Failed to load resource/];
  test.use({ javaScriptEnabled: false, viewport: NARROW, expectedNoise });

  test('has nothing in the place of the text, on a phone', async ({ page, site }) => {
    const path = await findPost(site.demoCms, 'featured', hasLead);
    const html = await (await fetch(site.origin + path)).text();
    const [begun = ''] = html.split('<div class="article-text">');
    await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body: begun }));
    await page.goto(path);
    await expect(page.locator('h1')).toBeVisible();
    const belowText = page.locator('.article-rail :is(.ad-slot, .article-side)');
    expect(await belowText.count()).toBeGreaterThan(1);
    for (const one of await belowText.all()) await expect(one).toBeHidden();
    await page.unroute(`**${path}`);
    await page.goto(path);
    for (const one of await belowText.all()) await expect(one).toBeVisible();
  });
});

test('the parts of an article stand where they belong, and its pictures say how wide they are, at any width', async ({
  page,
  site,
}) => {
  await page.goto(await findPost(site.demoCms, 'featured', hasLead));
  await test.step('the contents list comes without moving the advertisement', async () => {
    const ad = page.locator('.article-rail .ad-slot');
    const contents = page.locator('.contents');
    await expect(contents).toBeHidden();
    const hidden = (await boxOf(ad)).y;
    await contents.evaluate((list) => list.classList.add('is-shown'));
    await expect(contents).toBeVisible();
    expect((await boxOf(ad)).y).toBe(hidden);
    await contents.evaluate((list) => list.classList.remove('is-shown'));
  });
  await test.step('headline, deck, byline and the top of the lead picture are above the fold, all parts on one axis', () =>
    expectOneAxis(page));
  await test.step('narrow, the text comes before the advertisement', async () => {
    const text = await boxOf(page.locator('.article-text'));
    expect((await boxOf(page.locator('.article-rail .ad-slot'))).y).toBeGreaterThan(text.bottom);
  });
  await test.step('text and rail are in the middle, the related posts in the second half of the rail', () =>
    expectRailBesideText(page));
  for (const width of [1600, 1280, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft(await page.evaluate(picturesOfAnotherSize), `${width} pixels wide`).toEqual([]);
  }
});

/** Ends narrow. */
async function expectOneAxis(page: Page): Promise<void> {
  for (const viewport of [WIDE, NARROW]) {
    const where = `${viewport.width} x ${viewport.height}`;
    await page.setViewportSize(viewport);
    for (const part of ['h1', '.article-deck', '.article-byline'])
      await expect(page.locator(part), where).toBeInViewport({ ratio: 1 });
    const picture = await boxOf(page.locator('.article-main > .responsive-image'));
    expect(viewport.height - picture.y, where).toBeGreaterThanOrEqual(100);
    const { x } = await boxOf(page.locator('h1'));
    for (const part of [
      '.kicker >> nth=0',
      '.article-deck',
      '.meta-bar',
      '.article-main > .responsive-image',
      '.rich-text > p >> nth=0',
      '.author-box',
      '.article-more',
    ])
      expect.soft((await boxOf(page.locator(part))).x, `${part}, ${where}`).toBe(x);
  }
}

async function expectRailBesideText(page: Page): Promise<void> {
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const text = await boxOf(page.locator('.article-text'));
    const ad = await boxOf(page.locator('.article-rail .ad-slot'));
    const side = await boxOf(page.locator('.article-side'));
    const picture = await boxOf(page.locator('.article-main > .responsive-image'));
    const more = await boxOf(page.locator('.article-more'));
    expect([more.x, more.end], `${width}`).toEqual([text.x, ad.end]);
    expect(more.y, `${width}`).toBeGreaterThan(side.bottom);
    const middle = await page.evaluate(() => document.documentElement.clientWidth);
    expect(text.x + ad.end, `${width}`).toBeCloseTo(middle, 0);
    expect([picture.x, picture.end], `${width}`).toEqual([text.x, ad.end]);
    expect(side.x, `${width}`).toBe(ad.x);
    const rail = await boxOf(page.locator('.article-rail'));
    expect(side.y, `${width}`).toBeGreaterThan(ad.bottom);
    expect(rail.bottom - side.bottom, `${width}`).toBeCloseTo(side.y - ad.bottom, -2);
  }
}

test.describe('wide', () => {
  test('the contents list stays beside the text to its end, the advertisement and then the related posts below it, and covers neither text nor advertisement', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.demoCms, 'featured', hasLead));
    const button = page.getByRole('button', { name: 'Table of Contents' });
    const text = await boxOf(page.locator('.rich-text'));
    const ad = page.locator('.article-rail .ad-slot');
    const related = page.locator('.article-side h2');
    for (const [top, beside] of [
      [text.y - 100, ad],
      [text.y + text.height / 4, ad],
      [text.bottom - 900, related],
    ] as const) {
      await scrollTo(page, Math.round(top));
      await expect(button).toBeInViewport({ ratio: 1 });
      await expect(beside).toBeInViewport({ ratio: 1 });
      await button.click();
      expect(await coveredByContents(page, '.article-text, .ad-slot')).toEqual([]);
      await button.click();
    }
  });

  test('a pull quote stands within the text', async ({ page, site }) => {
    await page.goto(await findPost(site.demoCms, 'featured', hasPullQuote));
    const quote = await boxOf(page.locator('.rich-text > .b-pull-quote').first());
    const text = await boxOf(page.locator('.rich-text'));
    expect(quote.x).toBeGreaterThanOrEqual(text.x);
    expect(quote.end).toBeLessThanOrEqual(text.end);
  });
});

test.describe('narrow', () => {
  test.use({ viewport: NARROW });

  test('the contents list is a bar right below the header’s, which covers no heading that it links to', async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(await findPost(site.demoCms, 'featured', hasLead));
    await scrollTo(page, 2_000);
    const button = page.getByRole('button', { name: 'Table of Contents' });
    await expect(button).toBeVisible();
    const bar = await boxOf(page.locator('.contents'));
    expect(bar.y).toBeCloseTo((await boxOf(page.locator('.header'))).bottom, 0);
    expect([bar.x, bar.end]).toEqual([0, NARROW.width]);
    expect(bar.height).toBeLessThanOrEqual(48);
    await button.click();
    await page.locator('.contents-entries a').nth(1).click();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    const heading = page.locator('.rich-text :is(h2, h3):focus');
    await expect.poll(async () => Math.round((await boxOf(heading)).y)).toBe(125);
    expect((await boxOf(heading)).y).toBeGreaterThan((await boxOf(page.locator('.contents'))).bottom);
  });
});

/** Returns the pictures that are not as wide as their `sizes` say (those that the browser measures left out), within the 10 % that choose no other file. */
function picturesOfAnotherSize(): string[] {
  const probe = document.createElement('div');
  document.body.append(probe);
  const widthOf = (sizes: string) => {
    for (const part of sizes.split(/,\s*(?![^(]*\))/)) {
      const [, condition = 'all', length = ''] = /^(\([^)]*\))?\s*(.+)$/.exec(part) ?? [];
      if (length === 'auto' || !window.matchMedia(condition).matches) continue;
      probe.style.width = length;
      return probe.getBoundingClientRect().width;
    }
    return 0;
  };
  return [...document.querySelectorAll<HTMLImageElement>('.article img[sizes]:not([sizes^="auto"])')]
    .map(({ className, sizes, clientWidth }) => ({ className, says: widthOf(sizes), clientWidth }))
    .filter(({ says, clientWidth }) => Math.abs(says - clientWidth) > clientWidth / 10)
    .map(({ className, says, clientWidth }) => `${className}: ${says} instead of ${clientWidth}`);
}

test.describe('on a phone', () => {
  test.use({ viewport: NARROW, hasTouch: true, isMobile: true });

  test('the networks below an article stand in two rows, neither of which has one alone', async ({
    page,
    site,
  }) => {
    await page.goto(await findPost(site.demoCms, 'featured', hasLead));
    const rows = await page.locator('.article-text > .share > a').evaluateAll((links) => {
      const tops = links.map((link) => link.getBoundingClientRect().top);
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    });
    expect(rows).toHaveLength(2);
    expect(Math.min(...rows)).toBeGreaterThan(2);
  });
});
