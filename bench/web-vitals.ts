import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { launchBrowser } from './browser.ts';
import { startSite } from './processes.ts';

/**
 * INP and CLS of scripted visits, as the `web-vitals` library measures them: ten pages on a phone with a processor six times
 * slower and Lighthouse's slow 4G. Exits non-zero where a page misses a goal.
 */

const MOST = { inp: 200, cls: 0.05 };
const CPU_SLOWDOWN = 6;
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

/** Opens and closes the menu, scrolls to the end and back, and presses what the page has to press. */
async function visit(page: Page): Promise<void> {
  await page.waitForSelector('html[data-hydrated]', { state: 'attached' });
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.tap();
  await page.getByRole('button', { name: 'Latest', exact: true }).tap();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  for (const y of [600, 1_800, 1e6, 0]) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y);
    await page.waitForLoadState('networkidle');
  }
  for (const name of ['Popular', 'Category', 'Share', 'More', 'Show More']) {
    const control = page.locator('main').getByText(name, { exact: true });
    if (await control.first().isVisible()) await control.first().tap();
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
  for (const path of paths) {
    await (await fetch(site.origin + path)).text();
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
    const { inp, cls } = WebVitals.parse(await page.evaluate('measured'));
    const held = inp <= MOST.inp && cls <= MOST.cls;
    if (!held) process.exitCode = 1;
    process.stdout.write(`${held ? 'held  ' : 'MISSED'}  ${path}: INP ${inp} ms, CLS ${cls.toFixed(3)}\n`);
    await context.close();
  }
} finally {
  await browser.close();
  await site.stop();
  await rm(dir, { recursive: true });
}
