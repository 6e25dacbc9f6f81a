import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../tests/e2e/find-chromium.ts';

/** A Chromium without a window. `flags`: its own, besides what a container needs. */
export async function launchBrowser(...flags: string[]): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox', ...flags] });
}
