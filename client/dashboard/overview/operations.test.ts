import { expect, it } from 'vitest';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { QUIET_STATE } from '../../../tests/fixtures/live-state.ts';
import { operationsOf } from './operations.ts';

/** Two samples, a minute apart: how much each series grew in between. */
function rowsOf(grown: Record<string, number>) {
  const values = Object.values(grown);
  const window = createSampleWindow({
    stepSeconds: 60,
    series: Object.keys(grown),
    at: [0, 60_000],
    values: [values.map(() => 0), values],
  });
  return operationsOf(window, QUIET_STATE).map(({ operation, sent, notSent, errorRatio }) => ({
    operation,
    sent,
    notSent,
    errorRatio,
  }));
}

it('an operation of which the open circuit breaker let nothing pass has a row, before those that lack nothing', () => {
  expect(
    rowsOf({
      'upstream_request_duration_seconds{operation="post.topic",le="0.1"}': 3,
      upstream_refusals_total: 5,
      'upstream_refusals_total{operation="post.latest"}': 5,
    }),
  ).toEqual([
    { operation: 'post.latest', sent: 0, notSent: 5, errorRatio: null },
    { operation: 'post.topic', sent: 3, notSent: 0, errorRatio: 0 },
  ]);
});
