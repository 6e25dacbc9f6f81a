import { defineConfig } from '@playwright/test';
import { TAKES_ALL } from '../matrix.ts';
import type { EngineOptions } from './fixtures.ts';

/** Files of what differs least: one engine alone takes each, but with `MATRIX=all`. */
const TAKEN_BY_ONE = {
  firefox: ['slow-network.engine.ts', 'dashboard.engine.ts'],
  webkit: ['menus.engine.ts'],
};

/** Its cache of documents can be switched off there alone: the same test twice elsewhere. */
const OF_FIREFOX = /Firefox without its back-forward cache/;

const only = (engine: keyof typeof TAKEN_BY_ONE) => (TAKES_ALL ? [] : TAKEN_BY_ONE[engine]);

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
    {
      name: 'webkit',
      testIgnore: only('firefox'),
      grepInvert: OF_FIREFOX,
      workers: 1,
      use: { engine: 'webkit' },
    },
    { name: 'firefox', testIgnore: only('webkit'), workers: 1, use: { engine: 'firefox' } },
    // The end-to-end tests run in it.
    {
      name: 'chromium',
      testMatch: TAKES_ALL ? '*.engine.ts' : [],
      grepInvert: OF_FIREFOX,
      workers: 1,
      use: { engine: 'chromium' },
    },
  ],
});
