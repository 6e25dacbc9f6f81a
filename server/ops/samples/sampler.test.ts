import { tmpdir } from 'node:os';
import { Registry } from '@prometheus-io/client';
import { expect, it, onTestFinished } from 'vitest';
import { registerCounter, registerReading } from '#server/ops/metrics/register-metrics.ts';
import { MAX_SERIES } from '#shared/metric-declarations.ts';
import type { LiveSample } from '#shared/models/metrics.ts';
import { fakeClock } from '../../../tests/fixtures/clocks.ts';
import { QUIET_STATE } from '../../../tests/fixtures/live-state.ts';
import { createSampler } from './sampler.ts';

it('the live view has no series but those of the history: another would seem to grow from nothing, and the log says so once', async () => {
  const warnings: string[] = [];
  const registry = new Registry();
  const requests = registerCounter(registry, 'http_requests_total');
  for (let status = 0; status < MAX_SERIES + 10; status++) requests.inc({ status });
  const samples = createSampler({
    registries: [registry],
    state: () => QUIET_STATE,
    dir: tmpdir(),
    logger: { warn: (_fields, message) => warnings.push(message) },
    clock: fakeClock(),
  });
  onTestFinished(() => samples.close());
  const live = await new Promise<LiveSample>((resolve) => samples.listen(resolve));
  const { series } = await samples.history(60);
  expect(series).toHaveLength(MAX_SERIES);
  expect(Object.keys(live.values)).toEqual(series);
  expect(warnings).toEqual(['there is no place for another sampled series']);
});

it('what changes now has a place, not what failed long ago; it begins anew where it had none meanwhile', async () => {
  const registry = new Registry();
  const requests = registerCounter(registry, 'upstream_requests_total');
  registerReading(registry, 'process_start_time_seconds', () => [[{}, 7]]);
  const samples = createSampler({
    registries: [registry],
    state: () => QUIET_STATE,
    dir: tmpdir(),
    logger: { warn: () => undefined },
    clock: fakeClock(),
  });
  onTestFinished(() => samples.close());
  const newest = async () => {
    const { series, values } = await samples.history(60);
    return Object.fromEntries(series.map((name, nth) => [name, values.at(-1)?.[nth] ?? null]));
  };
  const nameOf = (nth: number) => `upstream_requests_total{operation="${nth}",outcome="status"}`;
  for (let nth = 0; nth < MAX_SERIES - 1; nth++) requests.inc({ operation: nth, outcome: 'status' }, 5);
  await newest();
  requests.inc({ operation: 'new', outcome: 'status' }, 3);
  const later = await newest();
  expect(later['upstream_requests_total{operation="new",outcome="status"}']).toBe(3);
  expect(later['process_start_time_seconds']).toBe(7);
  const lost = nameOf(MAX_SERIES - 2);
  expect(later[lost]).toBeUndefined();
  requests.inc({ operation: MAX_SERIES - 2, outcome: 'status' });
  expect((await newest())[lost]).toBe(1);
});
