import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Builder, Key } from 'selenium-webdriver';
import { freePort } from '../../free-port.ts';
import type { KeyName, StartBrowser } from './browser-session.ts';
import { stopOfGroup, untilEnded } from './process-group.ts';

const KEYS: Record<KeyName, string> = {
  ArrowRight: Key.ARROW_RIGHT,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
};

/** Source, level and text of a console message, as WebKit prints it. */
const CONSOLE_MESSAGE = /CONSOLE (?:[A-Z]+ )?(?:ERROR|WARN) (.*)/;

/** Starts WebKitGTK on a virtual screen (W3C WebDriver). */
export const startWebKit: StartBrowser = async ({ hasScripts }, profile) => {
  await using started = new AsyncDisposableStack();
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  started.defer(stopOfGroup(screen));
  const [display] = await once(screen.stdio[3] ?? screen, 'data');

  const port = await freePort();
  const server = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, DISPLAY: `:${String(display).trim()}`, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
  });
  started.defer(stopOfGroup(server));
  const consoleMessages: string[] = [];
  createInterface({ input: server.stderr }).on('line', (line) => {
    const message = CONSOLE_MESSAGE.exec(line)?.[1];
    if (message !== undefined) consoleMessages.push(message);
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${origin}/status`).catch(() => null))?.ok) {
    if (server.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${server.exitCode}`);
    await delay(20);
  }

  const driver = await new Builder()
    .usingServer(origin)
    .withCapabilities({
      browserName: 'webkit-window',
      'webkitgtk:browserOptions': {
        binary: join(import.meta.dirname, 'webkit-window.py'),
        args: [profile, ...(hasScripts ? [] : ['--no-scripts'])],
      },
    })
    .build();
  // The window may be closed before the server has its reply.
  started.defer(() => untilEnded(driver.quit()));
  const actions = () => driver.actions({ async: true });
  const owned = started.move();
  return {
    consoleMessages,
    open: (url) => driver.get(url),
    async resize({ width, height }) {
      await driver.manage().window().setRect({ x: 0, y: 0, width, height });
    },
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    clickAt: (x, y) => actions().move({ x, y }).click().perform(),
    moveTo: (x, y) => actions().move({ x, y }).perform(),
    type: (text) => actions().sendKeys(text).perform(),
    press: (key) => actions().sendKeys(KEYS[key]).perform(),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: () => owned.disposeAsync(),
  };
};
