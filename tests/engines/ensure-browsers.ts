import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../e2e/find-chromium.ts';
import { installSystemPackage } from '../system-package.ts';
import { FIREFOX_PATH } from './sessions/puppeteer-session.ts';

/** Whether Python can open windows of WebKitGTK. */
function hasWebKitBindings(): boolean {
  const program = 'import gi; gi.require_version("WebKit2", "4.1"); from gi.repository import WebKit2';
  return spawnSync('/usr/bin/python3', ['-c', program]).status === 0;
}

/** Debian's packages of the browsers and of what drives them, and whether the machine has them. */
const PACKAGES: Record<string, () => boolean> = {
  'chromium-headless-shell': () => findChromium() !== null,
  'firefox-esr': () => existsSync(FIREFOX_PATH),
  xvfb: () => existsSync('/usr/bin/Xvfb'),
  'webkit2gtk-driver': () => existsSync('/usr/bin/WebKitWebDriver'),
  'python3-gi': hasWebKitBindings,
  'gir1.2-webkit2-4.1': hasWebKitBindings,
};

for (const [name, isThere] of Object.entries(PACKAGES)) if (!isThere()) installSystemPackage(name);
for (const [name, isThere] of Object.entries(PACKAGES))
  if (!isThere()) throw new Error(`${name} could not be installed: the tests in three engines need it`);
