import { expect, it } from 'vitest';
import type { LiveSample } from '#shared/models/metrics.ts';
import { QUIET_STATE as state } from '../../../tests/fixtures/live-state.ts';
import { isAnotherState, withNewest } from './use-samples.ts';

it('keeps the newest sample, and one for each ten seconds before it', () => {
  let samples: LiveSample[] = [];
  for (let second = 0; second <= 25; second++)
    samples = withNewest(samples, { at: second * 1_000, values: {}, state });
  expect(samples.map(({ at }) => at / 1_000)).toEqual([0, 10, 20, 25]);
});

it('keeps none that is later than the newest, as after a clock was set back', () => {
  let samples: LiveSample[] = [];
  for (const second of [0, 10, 3_600, 3_610, 20, 21])
    samples = withNewest(samples, { at: second * 1_000, values: {}, state });
  expect(samples.map(({ at }) => at / 1_000)).toEqual([0, 10, 20, 21]);
});

it('is bounded', () => {
  let samples: LiveSample[] = [];
  for (let nth = 0; nth < 100; nth++) samples = withNewest(samples, { at: nth * 10_000, values: {}, state });
  expect(samples).toHaveLength(15);
});

it('what is shown is loaded again after a change, a pause, and a clock that was set back', () => {
  const live = (at: number, lastChange: string | null = null) => ({
    connection: 'live' as const,
    samples: [{ at, values: {}, state: { ...state, lastChange } }],
    error: null,
  });
  expect(isAnotherState({ connection: 'connecting', samples: [], error: null }, live(1))).toBe(false);
  expect(isAnotherState(live(1), live(2))).toBe(false);
  expect(isAnotherState(live(1), { ...live(1), connection: 'lost' })).toBe(false);
  expect(isAnotherState(live(1), live(2, 'a'))).toBe(true);
  expect(isAnotherState(live(2), live(1))).toBe(true);
  for (const connection of ['hidden', 'lost'] as const)
    expect(isAnotherState({ ...live(1), connection }, live(2))).toBe(true);
});
