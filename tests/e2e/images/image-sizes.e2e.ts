import type { Page } from '@playwright/test';
import { z } from 'zod';
import { createPictureFolder } from '#demo/picture-folder.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../../integration/site-under-test.ts';
import { oneInThree } from '../../matrix.ts';
import { findPost } from '../find-post.ts';
import { expect, test } from '../fixtures.ts';

let site: SiteUnderTest;
test.beforeAll(async () => {
  site = await startSiteUnderTest({ IMAGE_RESIZE: 'on' }, { pictures: createPictureFolder() });
});
test.afterAll(() => site.close());

const WIDTHS = [1280, 800, 390];

/** A picture's `sizes` may exceed its place by a tenth, or by the width of a scroll bar. */
const TOLERANCE = 1.1;
const TOLERANCE_PX = 16;

const KILO = 1000;

/** Served instead of pictures where pictures are not measured: resizing them takes long on a busy machine. */
const STAND_IN = {
  contentType: 'image/svg+xml',
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>',
};

interface Place {
  src: string;
  /** CSS pixels that `sizes` names at this width of the window. */
  named: number;
  /** CSS pixels that the picture takes. */
  shown: number;
}

/** Returns the paths of one page of each kind that has pictures. */
async function pagesOf({ origin, demoCms }: SiteUnderTest): Promise<string[]> {
  const list = await fetch(`${origin}/api/events?tab=all`);
  const { events } = z.object({ events: z.array(z.object({ slug: z.string() })) }).parse(await list.json());
  return [
    '/',
    await findPost(demoCms, 'featured', () => true),
    await findPost(demoCms, 'podcasts', () => true),
    '/topic/news',
    '/tag/customer-data',
    '/search/all/consent',
    '/events',
    `/events/${events[0]?.slug}`,
    '/no-posts',
  ];
}

/** Returns the visible pictures with a `srcset`, but for those that the browser measures itself (`sizes="auto"`). */
function placesOf(page: Page): Promise<Place[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.position = 'absolute';
    // Commas within parentheses separate nothing.
    const lengthOf = (sizes: string) =>
      sizes
        .split(/,(?![^(]*\))/)
        .map((part) => /^\s*(\((?:min|max)-width:[^)]*\))?\s*(.+)$/.exec(part))
        .find((part) => part && (part[1] === undefined || matchMedia(part[1]).matches))?.[2];
    return Array.from(document.images)
      .filter((image) => image.srcset !== '' && !image.sizes.startsWith('auto') && image.checkVisibility())
      .map((image) => {
        probe.style.width = lengthOf(image.sizes) ?? '0';
        const { width: named } = probe.getBoundingClientRect();
        return { src: image.getAttribute('src') ?? '', named, shown: image.getBoundingClientRect().width };
      });
  });
}

test('every picture’s `sizes` is the width at which it is shown, wide, narrow and in between', async ({
  page,
}) => {
  await page.route('**/media/**', (route) => route.fulfill(STAND_IN));
  for (const path of oneInThree(await pagesOf(site))) {
    await page.goto(site.origin + path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const places = await placesOf(page);
      expect(places.filter(isWrong), `${path}, ${width} pixels wide`).toEqual([]);
    }
  }
});

test.describe('on a phone of three pixels for each CSS pixel', () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 });

  test('the lead of the home page is 960 pixels wide', async ({ page }) => {
    await page.route('**/media/**', (route) => route.fulfill(STAND_IN));
    await page.goto(site.origin);
    const lead = page.locator('.post-card-lead img');
    await expect
      .poll(() => lead.evaluate((image: HTMLImageElement) => image.currentSrc))
      .toMatch(/width=960$/);
  });

  test('pictures of the home page take at most 120 kB before scrolling', async ({ page }) => {
    const asked = await picturesOf(page, '/');
    expect(asked.length).toBeGreaterThan(2);
    expect(await bytesOf(asked)).toBeLessThanOrEqual(120 * KILO);
  });

  test('the lead of an article takes at most 60 kB', async ({ page }) => {
    const path = await findPost(site.demoCms, 'featured', ({ banner_show }) => Number(banner_show) === 1);
    const [lead] = await picturesOf(page, path);
    expect(await bytesOf([String(lead)])).toBeLessThanOrEqual(60 * KILO);
  });
});

function isWrong({ named, shown }: Place): boolean {
  return named < Math.floor(shown) || named > Math.max(shown * TOLERANCE, shown + TOLERANCE_PX);
}

/** Returns the addresses of the pictures that a page asks for without scrolling, in that order. */
async function picturesOf(page: Page, path: string): Promise<string[]> {
  const asked: string[] = [];
  await page.route('**/media/**', async (route) => {
    asked.push(route.request().url());
    await route.fulfill(STAND_IN);
  });
  await page.goto(site.origin + path);
  await page.waitForLoadState('networkidle');
  return asked;
}

/** Returns the bytes of pictures in AVIF. */
async function bytesOf(urls: readonly string[]): Promise<number> {
  let sum = 0;
  for (const url of new Set(urls)) {
    const response = await fetch(url, { headers: { accept: 'image/avif' } });
    expect(response.headers.get('content-type')).toBe('image/avif');
    sum += (await response.arrayBuffer()).byteLength;
  }
  return sum;
}
