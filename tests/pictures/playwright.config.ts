import { defineConfig } from '@playwright/test';
import site from '../../playwright.config.ts';

const launchOptions = site.use?.launchOptions;

/** Compares the pages with their pictures in `docs/pictures`. */
export default defineConfig({
  ...site,
  fullyParallel: true,
  testDir: '.',
  testMatch: '*.picture.ts',
  outputDir: '../../test-results/pictures',
  snapshotPathTemplate: '../../docs/pictures/{arg}{ext}',
  use: {
    ...site.use,
    launchOptions: {
      ...launchOptions,
      // Chromium's headless shell hints fonts, which moves letters; other builds do not.
      args: [...(launchOptions?.args ?? []), '--font-render-hinting=none'],
    },
  },
});
