import { describe, expect, it } from 'vitest';
import { addReads, forgetBefore, newKeyAccesses, readsOf, sizeOf } from './key-accesses.ts';

describe('a key’s history', () => {
  it('counts the reads of a second in one run', () => {
    const history = newKeyAccesses(null);
    addReads(history, 5, 1, false);
    addReads(history, 5, 2, false);
    expect(history.runs).toEqual([5, 1, 3]);
  });

  it('joins adjacent seconds with similar counts, so that a hot key needs little memory', () => {
    const history = newKeyAccesses(null);
    for (let second = 0; second < 600; second++) addReads(history, second, 90 + (second % 20), false);
    expect(sizeOf(history)).toBeLessThan(50);
    expect(readsOf(history)).toBe(600 * 99.5);
  });

  it('starts a run at a burst, a gap and a cold read', () => {
    const history = newKeyAccesses(null);
    for (const [second, times] of [
      [0, 10],
      [1, 10],
      [2, 100],
      [4, 100],
    ] as const)
      addReads(history, second, times, false);
    addReads(history, 5, 100, true);
    addReads(history, 6, 100, false);
    addReads(history, 7, 1, false);
    expect(history.runs).toEqual([0, 2, 20, 2, 1, 100, 4, 1, 100, 5, 2, 200, 7, 1, 1]);
    expect(history.cold).toEqual([5]);
  });

  it('forgets old runs, and assumes that the entry was stored at the last forgotten read', () => {
    const history = newKeyAccesses(-100);
    addReads(history, 3, 1, true);
    addReads(history, 20, 4, false);
    history.changes.push(2, 21);
    forgetBefore(history, 10);
    expect(history).toEqual({ runs: [20, 1, 4], cold: [], changes: [21], cachedSince: 4 });
  });
});
