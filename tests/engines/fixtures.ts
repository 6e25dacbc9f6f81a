import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import type { BrowserSession, BrowserSessionOptions } from './sessions/browser-session.ts';
import { startChromium, startFirefox } from './sessions/puppeteer-session.ts';
import { startWebKit } from './sessions/webkit-session.ts';
import { createSitePage, type SitePage } from './site-page.ts';

const STARTS = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

export interface EngineOptions {
  engine: keyof typeof STARTS;
}

interface WorkerFixtures extends EngineOptions {
  /** Returns the site with this configuration. It is started when it is first asked for. */
  siteWith(env: Record<string, string>): Promise<SiteUnderTest>;
  /** Returns the running browser, or starts one in its place if its options are others. */
  sessionWith(options: BrowserSessionOptions): Promise<BrowserSession>;
}

interface TestFixtures extends BrowserSessionOptions {
  /** Configuration of the site besides what the fixture sets. */
  siteEnv: Record<string, string>;
  /** Patterns of console messages that a test expects; any other fails it. */
  expectedMessages: RegExp[];
  site: SiteUnderTest;
  session: BrowserSession;
  sitePage: SitePage;
}

/** For stopping the sites or the browser, in milliseconds. */
const FIXTURE_TIMEOUT_MS = 180_000;

let tests = 0;

/**
 * Provides the built site in a browser of the project's engine. Options are of a test, not of a worker: a worker would be
 * started for each. Errors and warnings on the console fail a test.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['chromium', { scope: 'worker', option: true }],
  hasScripts: [true, { option: true }],
  hasBackForwardCache: [false, { option: true }],
  siteEnv: [{}, { option: true }],
  siteWith: [
    async ({ engine: _ }, use) => {
      const sites = new Map<string, SiteUnderTest>();
      await use(async (env) => {
        const key = JSON.stringify(env);
        const site =
          sites.get(key) ?? (await startSiteUnderTest({ PUBLIC_ORIGIN: 'http://localhost:3000', ...env }));
        sites.set(key, site);
        return site;
      });
      for (const site of sites.values()) await site.close();
    },
    { scope: 'worker', timeout: FIXTURE_TIMEOUT_MS },
  ],
  sessionWith: [
    async ({ engine }, use) => {
      // One for all sessions: a browser starts in two thirds of the time where it has been started before.
      const profile = await mkdtemp(join(tmpdir(), 'engine-'));
      let running: { key: string; session: BrowserSession } | null = null;
      const stop = async () => {
        await running?.session.close();
        running = null;
      };
      await use(async ({ hasScripts, hasBackForwardCache }) => {
        const key = `${hasScripts} ${engine === 'firefox' && hasBackForwardCache}`;
        if (running?.key === key) return running.session;
        await stop();
        const session = await STARTS[engine]({ hasScripts, hasBackForwardCache }, profile);
        running = { key, session };
        return session;
      });
      await stop();
      // Now: a browser that does not end by itself writes to it until it is killed.
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: 'worker', timeout: FIXTURE_TIMEOUT_MS },
  ],
  site: async ({ siteWith, siteEnv }, use) => use(await siteWith(siteEnv)),
  session: async ({ sessionWith, hasScripts, hasBackForwardCache }, use) =>
    use(await sessionWith({ hasScripts, hasBackForwardCache })),
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
