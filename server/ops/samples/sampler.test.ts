import { tmpdir } from 'node:os';
import { Registry } from '@prometheus-io/client';
import { expect, it, onTestFinished } from 'vitest';
import { registerCounter } from '#server/ops/metrics/register-metrics.ts';
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
