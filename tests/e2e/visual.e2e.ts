import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { startDemoCms } from '#demo/start.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { expect, test } from './fixtures.ts';

/**
 * Compares screenshots of the main pages with committed ones, so small that font rendering makes no difference and a moved
 * column does. `npm run pictures` updates them; look at them before they are committed.
 */
const FOLDER = join(import.meta.dirname, 'visual');
const UPDATES = process.env['UPDATE_PICTURES'] === 'yes';

const NOON = new Date('2026-11-20T12:00:00Z');
const SHRUNK = 8;
/** Tolerance of a colour channel (0 to 255), and share of pixels that may differ by more. */
const NEAR = 36;
const MANY = 0.03;

const ARTICLE = '/news/';
const SIZES = [
  { name: 'wide', width: 1280, height: 1600 },
  { name: 'narrow', width: 390, height: 1600 },
] as const;

let site: SiteUnderTest;
let closeDemoCms: () => Promise<void>;
let article: string;

test.beforeAll(async () => {
  const demoCms = await startDemoCms({ dataDir: null, faults: true, clock: () => NOON.getTime() });
  closeDemoCms = demoCms.close;
  site = await startSiteUnderTest({}, { demoCms: demoCms.origin });
  const list = await (await fetch(`${site.origin}/topic/news`)).text();
  article = new RegExp(`href="(${ARTICLE}[^"]+)"`).exec(list)?.[1] ?? '';
});

test.afterAll(async () => {
  await site.close();
  await closeDemoCms();
});

async function shrunk(picture: Buffer): Promise<Buffer> {
  const { width = SHRUNK } = await sharp(picture).metadata();
  return sharp(picture)
    .resize({ width: Math.round(width / SHRUNK), kernel: 'cubic' })
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Returns the share of pixels that differ; 1 where the sizes do. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = await Promise.all(
    [one, other].map((picture) => sharp(picture).raw().toBuffer({ resolveWithObject: true })),
  );
  if (!left || !right || left.data.length !== right.data.length) return 1;
  let differing = 0;
  for (let at = 0; at < left.data.length; at += 3) {
    const far = [0, 1, 2].some(
      (channel) => Math.abs((left.data[at + channel] ?? 0) - (right.data[at + channel] ?? 0)) > NEAR,
    );
    if (far) differing++;
  }
  return differing / (left.data.length / 3);
}

async function isPainted(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() => {
    // Pictures in a closed menu are not loaded until it opens.
    const inView = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return image.checkVisibility() && width > 0 && bottom > 0 && top < window.innerHeight;
    });
    return inView.every((image) => image.complete);
  });
}

const PAGES = {
  home: () => '/',
  article: () => article,
  topic: () => '/topic/news',
  events: () => '/events',
  contact: () => '/contact-us',
  search: () => '/search/all/consent',
  'not-found': () => '/no-such-page',
} as const;

for (const [name, path] of Object.entries(PAGES)) {
  for (const { name: size, width, height } of SIZES) {
    const colorScheme = size === 'wide' ? 'light' : 'dark';
    test(`${name} looks as it did, ${size} and ${colorScheme}`, async ({ page, expectedNoise }) => {
      if (name === 'not-found') expectedNoise.push(/404/);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
      await page.goto(site.origin + path());
      await isPainted(page);
      const file = join(FOLDER, `${name}-${size}.png`);
      let taken = await shrunk(await page.screenshot());
      if (UPDATES) {
        await mkdir(FOLDER, { recursive: true });
        await writeFile(file, taken);
        return;
      }
      const kept = await readFile(file);
      // Waits for lazy content; what stays different fails.
      await expect(async () => {
        taken = await shrunk(await page.screenshot());
        expect(await difference(taken, kept)).toBeLessThan(MANY);
      })
        .toPass({ timeout: 20_000 })
        .catch(async (error: unknown) => {
          await writeFile(test.info().outputPath(`${name}-${size}.png`), taken);
          throw error;
        });
    });
  }
}
