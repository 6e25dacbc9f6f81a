import { describe, expect, it } from 'vitest';
import { createMaintenance } from './maintenance.ts';

interface Timer {
  ms: number;
  work: () => void;
  cancelled: boolean;
}

/** Makes a maintenance whose timers the test runs, and records what it does to the file. */
function createTestMaintenance(truncate = (): void => undefined, slices = 0) {
  let left = slices;
  const planned: Timer[] = [];
  const done: string[] = [];
  const errors: string[] = [];
  const maintenance = createMaintenance({
    store: () => ({
      truncateLog() {
        done.push('truncate');
        truncate();
      },
      deleteOld(time, views) {
        done.push(`delete ${time} ${views}`);
        return left-- > 0;
      },
      vacuum: () => void done.push('vacuum'),
    }),
    now: () => 100_000_000,
    after(ms, work) {
      const timer: Timer = { ms, work, cancelled: false };
      planned.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    onError: (_error, message) => void errors.push(message),
  });
  function run(): void {
    const due = planned.splice(0).filter(({ cancelled }) => !cancelled);
    for (const { work } of due) work();
  }
  return { ...maintenance, planned, done, errors, run };
}

describe('maintenance', () => {
  it('runs at the start and each hour, and deletes what is a day old', () => {
    const maintenance = createTestMaintenance();
    maintenance.start();
    expect(maintenance.done).toEqual(['delete 13600000 1000', 'vacuum']);
    expect(maintenance.planned.map(({ ms }) => ms)).toEqual([1_000, 3_600_000]);
    maintenance.run();
    expect(maintenance.done.slice(2)).toEqual(['truncate', 'delete 13600000 1000', 'vacuum']);
  });

  it('deletes a backlog in slices, with a pause between two', () => {
    const maintenance = createTestMaintenance(undefined, 2);
    maintenance.start();
    expect(maintenance.done).toEqual(['delete 13600000 1000']);
    expect(maintenance.planned.map(({ ms }) => ms)).toEqual([20]);
    maintenance.run();
    maintenance.run();
    expect(maintenance.done).toEqual([...Array(3).fill('delete 13600000 1000'), 'vacuum']);
    expect(maintenance.planned.map(({ ms }) => ms)).toEqual([1_000, 3_600_000]);
  });

  it('truncates the log once for all that was delivered within a second', () => {
    const maintenance = createTestMaintenance();
    maintenance.eraseSoon();
    maintenance.eraseSoon();
    maintenance.run();
    expect(maintenance.done).toEqual(['truncate']);
  });

  it('reports a file that cannot be written, and tries again', () => {
    const maintenance = createTestMaintenance(() => {
      throw new Error('disk full');
    });
    maintenance.eraseSoon();
    maintenance.run();
    maintenance.eraseSoon();
    maintenance.run();
    expect(maintenance.errors).toHaveLength(2);
    expect(maintenance.done).toEqual(['truncate', 'truncate']);
  });

  it('does nothing to a file that is about to close', () => {
    const maintenance = createTestMaintenance();
    maintenance.start();
    maintenance.done.length = 0;
    maintenance.stop();
    maintenance.eraseSoon();
    maintenance.run();
    expect(maintenance.done).toEqual([]);
  });
});
