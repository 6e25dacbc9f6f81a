import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../tests/e2e/find-chromium.ts';

/** Starts a headless Chromium. `flags`: besides those that a container needs. */
export async function launchBrowser(...flags: string[]): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox', ...flags] });
}
