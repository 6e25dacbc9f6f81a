import { test as base, expect } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import type { BrowserSession, BrowserSessionOptions } from './sessions/browser-session.ts';
import { startChromium, startFirefox } from './sessions/puppeteer-session.ts';
import { startWebKit } from './sessions/webkit-session.ts';
import { createSitePage, type SitePage } from './site-page.ts';

const STARTS = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

export interface EngineOptions extends BrowserSessionOptions {
  engine: keyof typeof STARTS;
  /** Configuration of the site besides what the fixture sets. */
  siteEnv: Record<string, string>;
}

interface WorkerFixtures extends EngineOptions {
  site: SiteUnderTest;
  session: BrowserSession;
}

interface TestFixtures {
  /** Patterns of console messages that a test expects; any other fails it. */
  expectedMessages: RegExp[];
  sitePage: SitePage;
}

/** For starting and stopping the site or a browser, in milliseconds. */
const FIXTURE_TIMEOUT_MS = 180_000;

let tests = 0;

/** Provides the built site in a browser of the project's engine. Errors and warnings on the console fail a test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['chromium', { scope: 'worker', option: true }],
  hasScripts: [true, { scope: 'worker', option: true }],
  hasBackForwardCache: [false, { scope: 'worker', option: true }],
  siteEnv: [{}, { scope: 'worker', option: true }],
  site: [
    async ({ siteEnv }, use) => {
      const site = await startSiteUnderTest({ PUBLIC_ORIGIN: 'http://localhost:3000', ...siteEnv });
      await use(site);
      await site.close();
    },
    { scope: 'worker', timeout: FIXTURE_TIMEOUT_MS },
  ],
  session: [
    async ({ engine, hasScripts, hasBackForwardCache }, use) => {
      const session = await STARTS[engine]({ hasScripts, hasBackForwardCache });
      await use(session);
      await session.close();
    },
    { scope: 'worker', timeout: FIXTURE_TIMEOUT_MS },
  ],
  expectedMessages: async ({ engine: _ }, use) => use([]),
  sitePage: async ({ site, session, hasScripts, expectedMessages }, use, test) => {
    const sitePage = createSitePage(session, site.origin, hasScripts);
    await use(sitePage);
    if (test.status !== test.expectedStatus) {
      console.log(`The console of the page:\n${session.consoleMessages.join('\n')}`);
      await test.attach('page', { body: await session.screenshot(), contentType: 'image/png' });
    }
    if (!hasScripts) return;
    // Messages arrive in order: all of this test's are there once this one is.
    const last = `end of test ${++tests}`;
    await sitePage.evaluate((text) => {
      console.warn(text);
      return null;
    }, last);
    await expect.poll(() => session.consoleMessages.some((text) => text.includes(last))).toBe(true);
    const messages = session.consoleMessages.splice(0).filter((text) => !text.includes(last));
    const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
    expect(unexpected, 'nothing on the console').toEqual([]);
  },
});

export { expect };
