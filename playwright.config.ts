import { defineConfig } from '@playwright/test';
import { findChromium } from './tests/e2e/find-chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  // A folder of its own: it is emptied at the start, while other steps may run.
  outputDir: 'test-results/e2e',
  // Not `fullyParallel`: each worker would start the sites of a file anew.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A slow machine is no failure: what never comes is noticed all the same, only later.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: findChromium() ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
