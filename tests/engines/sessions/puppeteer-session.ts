import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type LaunchOptions } from 'puppeteer-core';
import { findChromium } from '../../e2e/find-chromium.ts';
import type { BrowserSession, BrowserSessionOptions } from './browser-session.ts';
import { stopOfGroup, untilEnded } from './process-group.ts';

/** Where Debian's package installs it. */
export const FIREFOX_PATH = '/usr/bin/firefox-esr';

/** Starts Debian's Chromium (Chrome DevTools Protocol). */
export function startChromium(options: BrowserSessionOptions): Promise<BrowserSession> {
  return startSession(options, {
    headless: 'shell',
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}

/** Starts Debian's Firefox ESR (WebDriver BiDi). */
export function startFirefox(options: BrowserSessionOptions): Promise<BrowserSession> {
  return startSession(options, {
    browser: 'firefox',
    executablePath: FIREFOX_PATH,
    extraPrefsFirefox: {
      'javascript.enabled': options.hasScripts,
      'fission.bfcacheInParent': options.hasBackForwardCache,
    },
  });
}

async function startSession(
  { hasScripts }: BrowserSessionOptions,
  launchOptions: LaunchOptions,
): Promise<BrowserSession> {
  await using started = new AsyncDisposableStack();
  // Its own would be removed while the browser still writes to it, if the browser does not end by itself.
  const profile = await mkdtemp(join(tmpdir(), 'engine-'));
  started.defer(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  // How long all of it may take is the fixture's and the test's affair.
  const browser = await puppeteer.launch({ ...launchOptions, userDataDir: profile, timeout: 0 });
  const browserProcess = browser.process();
  if (browserProcess) started.defer(stopOfGroup(browserProcess));
  started.defer(() => untilEnded(browser.close()));
  const [page = await browser.newPage()] = await browser.pages();
  page.setDefaultTimeout(0);
  // Firefox has a preference for it instead.
  if (launchOptions.browser !== 'firefox') await page.setJavaScriptEnabled(hasScripts);
  const consoleMessages: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) consoleMessages.push(message.text());
  });
  page.on('pageerror', (error) => consoleMessages.push(String(error)));
  const owned = started.move();
  return {
    consoleMessages,
    async open(url) {
      await page.goto(url);
    },
    resize: (size) => page.setViewport(size),
    evaluate: (expression) => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => owned.disposeAsync(),
  };
}
