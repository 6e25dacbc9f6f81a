import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The default leaves one core to a watcher.
    maxWorkers: '100%',
    // Files share a worker's modules: loading them anew for each file was more than half of a run.
    isolate: false,
    // What is waited for comes later on a busy machine. A test that measures time says so itself.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          pool: 'threads',
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
          // Sites have threads, signals and a process's own metrics.
          pool: 'forks',
          include: ['tests/{integration,budgets,redis}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
