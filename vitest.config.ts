import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import browserTests from './playwright.config.ts';

const COMPONENT_TESTS = 'client/**/*.component.test.tsx';
/** Of the browser: no host but this machine has an address. */
const NO_NETWORK = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** Of tests without a browser, some of which start processes of their own. */
const SLOW_MACHINE = { poll: { timeout: 60_000, interval: 20 } };

/** Folders whose files take longest: one that began last would leave the other cores without work. */
const SLOW_FILES = /\/tests\/(wordpress|redis|settings|integration\/start)\//;

/** Vitest takes the longest file first, which it knows from the run before, and else the largest. */
class SlowFoldersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return Object.values(
      Object.groupBy(sorted, ({ moduleId }) => (SLOW_FILES.test(moduleId) ? 0 : 1)),
    ).flat();
  }
}

export default defineConfig({
  test: {
    // The default leaves one core to a watcher.
    maxWorkers: '100%',
    // Files share a worker's modules: loading them anew for each file was more than half of a run.
    isolate: false,
    sequence: { sequencer: SlowFoldersFirst },
    // Tests set the time zone, send signals and read a process's own metrics: none of it works in a thread.
    pool: 'forks',
    // What is waited for comes later on a busy machine. A test that measures time says so itself.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: ['tests/property-seed.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: SLOW_MACHINE,
          include: [
            '{server,tools,wordpress,client,shared,demo}/**/*.test.{ts,tsx}',
            'tests/{simulation,supply}/**/*.test.ts',
          ],
          exclude: [COMPONENT_TESTS],
        },
      },
      {
        extends: true,
        // All of the environment that the browser has.
        define: { 'process.env.MATRIX': JSON.stringify(process.env['MATRIX'] ?? '') },
        // Found while the tests run, a package would reload the page under them.
        optimizeDeps: { entries: [COMPONENT_TESTS, 'client/routes.tsx'] },
        test: {
          name: 'component',
          // A slow machine is no failure: what never comes is noticed all the same, only later.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          include: [COMPONENT_TESTS],
          setupFiles: ['tests/component/setup.ts'],
          restoreMocks: true,
          // Not `requestAnimationFrame`: the browser goes on painting.
          fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] },
          unstubGlobals: true,
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: {
                ...browserTests.use?.launchOptions,
                args: [...(browserTests.use?.launchOptions?.args ?? []), NO_NETWORK],
              },
              contextOptions: { permissions: ['clipboard-read', 'clipboard-write'] },
            }),
            instances: [{ browser: 'chromium' }],
            viewport: { width: 1280, height: 900 },
            screenshotFailures: false,
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // For half of their time files wait: for what has a pace of its own, and for processes that start.
          maxWorkers: Math.ceil(1.5 * availableParallelism()),
          sequence: { groupOrder: 1 },
          setupFiles: ['tests/property-seed.ts'],
          include: ['tests/{integration,budgets,redis,edge,prometheus,settings,wordpress}/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: SLOW_MACHINE,
        },
      },
    ],
  },
});
