import { describe, expect, it } from 'vitest';
import { createMaintenance } from './maintenance.ts';

interface Planned {
  ms: number;
  work: () => void;
  cancelled: boolean;
}

/** A housekeeping whose timers a test runs, and what it did to the file. */
function keepHouse(erase = (): void => undefined, slices = 0) {
  let left = slices;
  const planned: Planned[] = [];
  const done: string[] = [];
  const errors: string[] = [];
  const house = createMaintenance({
    store: () => ({
      erase() {
        done.push('erase');
        erase();
      },
      forget(time, views) {
        done.push(`forget ${time} ${views}`);
        return left-- > 0;
      },
      compact: () => void done.push('compact'),
    }),
    now: () => 100_000_000,
    after(ms, work) {
      const one: Planned = { ms, work, cancelled: false };
      planned.push(one);
      return () => {
        one.cancelled = true;
      };
    },
    onError: (_error, message) => void errors.push(message),
  });
  function run(): void {
    const due = planned.splice(0).filter(({ cancelled }) => !cancelled);
    for (const { work } of due) work();
  }
  return { ...house, planned, done, errors, run };
}

describe('housekeeping', () => {
  it('tidies at the start and each hour, and forgets what is a day old', () => {
    const house = keepHouse();
    house.start();
    expect(house.done).toEqual(['forget 13600000 1000', 'compact']);
    expect(house.planned.map(({ ms }) => ms)).toEqual([1_000, 3_600_000]);
    house.run();
    expect(house.done.slice(2)).toEqual(['erase', 'forget 13600000 1000', 'compact']);
  });

  it('forgets a backlog slice by slice, and lets others work between two', () => {
    const house = keepHouse(undefined, 2);
    house.start();
    expect(house.done).toEqual(['forget 13600000 1000']);
    expect(house.planned.map(({ ms }) => ms)).toEqual([20]);
    house.run();
    house.run();
    expect(house.done).toEqual([...Array(3).fill('forget 13600000 1000'), 'compact']);
    expect(house.planned.map(({ ms }) => ms)).toEqual([1_000, 3_600_000]);
  });

  it('erases once for all that has arrived within a moment', () => {
    const house = keepHouse();
    house.eraseSoon();
    house.eraseSoon();
    house.run();
    expect(house.done).toEqual(['erase']);
  });

  it('tells of a file that cannot be written, and tries again', () => {
    const house = keepHouse(() => {
      throw new Error('disk full');
    });
    house.eraseSoon();
    house.run();
    house.eraseSoon();
    house.run();
    expect(house.errors).toHaveLength(2);
    expect(house.done).toEqual(['erase', 'erase']);
  });

  it('does nothing to a file that is about to close', () => {
    const house = keepHouse();
    house.start();
    house.done.length = 0;
    house.stop();
    house.eraseSoon();
    house.run();
    expect(house.done).toEqual([]);
  });
});
