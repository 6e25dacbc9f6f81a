import { expect, it } from 'vitest';
import type { LiveSample } from '#shared/models/metrics.ts';
import { QUIET_STATE as state } from '../../../tests/fixtures/live-state.ts';
import { withNewest } from './use-samples.ts';

it('keeps the newest sample, and one for each ten seconds before it', () => {
  let samples: LiveSample[] = [];
  for (let second = 0; second <= 25; second++)
    samples = withNewest(samples, { at: second * 1_000, values: {}, state });
  expect(samples.map(({ at }) => at / 1_000)).toEqual([0, 10, 20, 25]);
});

it('is bounded', () => {
  let samples: LiveSample[] = [];
  for (let nth = 0; nth < 100; nth++) samples = withNewest(samples, { at: nth * 10_000, values: {}, state });
  expect(samples).toHaveLength(15);
});
