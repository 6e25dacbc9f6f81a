import { test as base, expect, type Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { recordTrace } from './page-trace.ts';

interface WorkerFixtures {
  site: SiteUnderTest;
  /** One for all tests of the dashboard. */
  dashboardSite: SiteUnderTest;
}

interface TestFixtures {
  /** Patterns of console errors, warnings and page errors that a test expects; any other fails it. */
  expectedNoise: RegExp[];
  quiet: undefined;
}

async function provideSite(use: (site: SiteUnderTest) => Promise<void>): Promise<void> {
  const site = await startSiteUnderTest();
  await use(site);
  await site.close();
}

/** Provides the built site before a demo CMS, one for each worker. Errors and warnings on the console fail a test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [async ({ browserName: _ }, use) => provideSite(use), { scope: 'worker', timeout: 180_000 }],
  dashboardSite: [async ({ browserName: _ }, use) => provideSite(use), { scope: 'worker', timeout: 180_000 }],
  page: async ({ page, javaScriptEnabled }, use) => {
    waitUntilResized(page);
    if (javaScriptEnabled !== false) waitUntilLive(page);
    await use(page);
  },
  baseURL: async ({ site }, use) => use(site.origin),
  expectedNoise: async ({ browserName: _ }, use) => use([]),
  quiet: [
    async ({ page, expectedNoise }, use, test) => {
      const noise = listen(page);
      const trace = recordTrace(page);
      await use(undefined);
      if (test.status !== test.expectedStatus) console.log(await trace.told());
      const unexpected = noise.filter((text) => !expectedNoise.some((pattern) => pattern.test(text)));
      expect(unexpected, 'nothing on the console').toEqual([]);
    },
    { auto: true },
  ],
});

/** Makes `goto` wait for hydration: a click before it acts as without scripts. */
function waitUntilLive(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (...target) => {
    const response = await goto(...target);
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
    return response;
  };
}

/** Makes `setViewportSize` wait until the page has its new size: what measures it next would see the old one. */
function waitUntilResized(page: Page): void {
  const resize = page.setViewportSize.bind(page);
  page.setViewportSize = async (size) => {
    await resize(size);
    await page.waitForFunction((width) => window.innerWidth === width, size.width);
  };
}

function listen(page: Page): string[] {
  const noise: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text());
  });
  page.on('pageerror', (error) => noise.push(error.message));
  return noise;
}

export { expect };
