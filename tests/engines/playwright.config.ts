import { defineConfig } from '@playwright/test';
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
    { name: 'chromium', workers: 1, use: { engine: 'chromium' } },
  ],
});
