import puppeteer, { type LaunchOptions } from 'puppeteer-core';
import { findChromium } from '../../e2e/find-chromium.ts';
import type { BrowserSession, BrowserSessionOptions, StartBrowser } from './browser-session.ts';
import { stopOfGroup, untilEnded } from './process-group.ts';

/** Where Debian's package installs it. */
export const FIREFOX_PATH = '/usr/bin/firefox-esr';

/** Starts Debian's Chromium (Chrome DevTools Protocol). */
export const startChromium: StartBrowser = (options, userDataDir) =>
  startSession(options, {
    userDataDir,
    headless: 'shell',
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });

/** Starts Debian's Firefox ESR (WebDriver BiDi). */
export const startFirefox: StartBrowser = (options, userDataDir) =>
  startSession(options, {
    userDataDir,
    browser: 'firefox',
    executablePath: FIREFOX_PATH,
    extraPrefsFirefox: {
      'javascript.enabled': options.hasScripts,
      'fission.bfcacheInParent': options.hasBackForwardCache,
    },
  });

async function startSession(
  { hasScripts }: BrowserSessionOptions,
  launchOptions: LaunchOptions,
): Promise<BrowserSession> {
  await using started = new AsyncDisposableStack();
  // How long all of it may take is the fixture's and the test's affair.
  const browser = await puppeteer.launch({ ...launchOptions, timeout: 0 });
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
    moveTo: (x, y) => page.mouse.move(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => owned.disposeAsync(),
  };
}
