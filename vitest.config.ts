import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The default leaves one core to a watcher.
    maxWorkers: '100%',
    // Files share a worker's modules: loading them anew for each file was more than half of a run.
    isolate: false,
    // Tests set the time zone, send signals and read a process's own metrics: none of it works in a thread.
    pool: 'forks',
    // What is waited for comes later on a busy machine. A test that measures time says so itself.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          testTimeout: 30_000,
          include: [
            '{server,client,shared,demo}/**/*.test.{ts,tsx}',
            'tests/{simulation,supply}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/{integration,budgets,redis,edge,prometheus}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
