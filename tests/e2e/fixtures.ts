import { test as base, expect, type Page } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { recordTrace } from './page-trace.ts';

interface WorkerFixtures {
  site: SiteUnderTest;
}

interface TestFixtures {
  /** Console errors, warnings and page errors that a test expects: it pushes patterns, everything else fails it. */
  expectedNoise: RegExp[];
  quiet: undefined;
}

/** The built site before a demo CMS, one for each worker. Noise on the console fails a test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    async ({ browserName: _ }, use) => {
      const site = await startSiteUnderTest();
      await use(site);
      await site.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  page: async ({ page, javaScriptEnabled }, use) => {
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

/** What is pressed before hydration acts as it does without scripts: a test of scripts waits for it. */
function waitUntilLive(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (...target) => {
    const response = await goto(...target);
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
    return response;
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
