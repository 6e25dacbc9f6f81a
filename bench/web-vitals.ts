import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { z } from 'zod';
import { launchBrowser } from './browser.ts';
import { startSite } from './processes.ts';

/**
 * Measures INP and CLS of scripted visits, as the `web-vitals` library measures them: ten pages on a phone with a processor six times
 * slower and Lighthouse's slow 4G. With a path as its argument that page alone. Exits non-zero where a page misses a goal.
 */

const MOST = { inp: 200, cls: 0.05 };
const CPU_SLOWDOWN = 6;
/** Visits of each page: the median INP counts, since other processes delay single taps, and the worst CLS. */
const VISITS = 3;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
/** The library as a script without modules, which lies beside its module. */
const LIBRARY = fileURLToPath(new URL('web-vitals.iife.js', import.meta.resolve('web-vitals')));

const Home = z.object({ top: z.array(z.object({ category: z.string(), slug: z.string() })).min(1) });
const Events = z.object({ events: z.array(z.object({ slug: z.string() })).min(1) });
const WebVitals = z.object({ inp: z.number(), cls: z.number() });

/**
 * Taps what a locator finds once the page is idle, and waits for the frame that shows it. Playwright's own `tap` and the next
 * look for an element run in the page's thread too, and would count as the page's work.
 */
async function tap(page: Page, control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) return;
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await nextFrame(page);
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/** Opens and closes the menu, scrolls to the end and back, and presses what the page has to press. */
async function visit(page: Page): Promise<void> {
  await page.waitForSelector('html[data-hydrated]', { state: 'attached' });
  await tap(page, page.getByRole('button', { name: 'Menu' }));
  await tap(page, page.getByRole('button', { name: 'Latest', exact: true }));
  for (const _ of ['menu', 'sheet']) {
    await page.keyboard.press('Escape');
    await nextFrame(page);
  }
  for (const y of [600, 1_800, 1e6, 0]) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y);
    await page.waitForLoadState('networkidle');
  }
  for (const name of ['Popular', 'Category', 'Share', 'More', 'Show More']) {
    const control = page.locator('main').getByText(name, { exact: true }).first();
    if (await control.isVisible()) await tap(page, control);
  }
  for (const field of await page.locator('main input:visible').all()) await field.pressSequentially('ab');
}

const dir = await mkdtemp(join(tmpdir(), 'vitals-'));
const site = await startSite({ env: { DATA_DIR: dir } });
const browser = await launchBrowser();
const measure = `${await readFile(LIBRARY, 'utf8')};
  window.measured = { inp: 0, cls: 0 };
  webVitals.onINP(({ value }) => { measured.inp = value; }, { reportAllChanges: true, durationThreshold: 16 });
  webVitals.onCLS(({ value }) => { measured.cls = value; }, { reportAllChanges: true });`;

async function fetched<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await (await fetch(site.origin + path)).json());
}

/** Visits a page as a new reader, and returns what it measured. */
async function measureVisit(path: string): Promise<z.infer<typeof WebVitals>> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.addInitScript(measure);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await page.goto(site.origin + path);
  await visit(page);
  await page.waitForTimeout(1_000);
  const measured = WebVitals.parse(await page.evaluate('measured'));
  await context.close();
  return measured;
}

try {
  const [lead] = (await fetched('/api/home', Home)).top;
  const [event] = (await fetched('/api/events', Events)).events;
  const paths = [
    '/',
    `/${lead?.category}/${lead?.slug}`,
    '/topic/news',
    '/tag/customer-data',
    '/search/all/data',
    '/events',
    `/events/${event?.slug}`,
    '/contact-us',
    '/subscribe',
    '/sitemap',
  ];
  const [only] = process.argv.slice(2);
  for (const path of only ? [only] : paths) {
    await (await fetch(site.origin + path)).text();
    const visits: z.infer<typeof WebVitals>[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) visits.push(await measureVisit(path));
    const inps = visits.map(({ inp }) => inp).sort((one, other) => one - other);
    const inp = inps[Math.floor(VISITS / 2)] ?? Number.NaN;
    const cls = Math.max(...visits.map((one) => one.cls));
    const held = inp <= MOST.inp && cls <= MOST.cls;
    if (!held) process.exitCode = 1;
    const measured = `INP ${inp} ms (${inps.join(', ')}), CLS ${cls.toFixed(3)}`;
    process.stdout.write(`${held ? 'held  ' : 'MISSED'}  ${path}: ${measured}\n`);
  }
} finally {
  await browser.close();
  await site.stop();
  await rm(dir, { recursive: true });
}
