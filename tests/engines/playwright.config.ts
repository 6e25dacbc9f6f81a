import { defineConfig } from '@playwright/test';
import { TAKES_ALL } from '../matrix.ts';
import type { EngineOptions } from './fixtures.ts';

export default defineConfig<object, EngineOptions>({
  testDir: '.',
  testMatch: '*.engine.ts',
  outputDir: '../../test-results/engines',
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // A slow machine is no failure: what never comes is noticed all the same, only later.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  projects: [
    { name: 'webkit', workers: 1, use: { engine: 'webkit' } },
    { name: 'firefox', workers: 1, use: { engine: 'firefox' } },
    {
      name: 'chromium',
      // The other tests are there for what differs from Chromium, which the end-to-end tests run in.
      testMatch: TAKES_ALL ? '*.engine.ts' : 'pages.engine.ts',
      workers: 1,
      use: { engine: 'chromium' },
    },
  ],
});
