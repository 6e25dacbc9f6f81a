import { expect, it } from 'vitest';
import { createSampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { MAX_SERIES } from '#shared/metric-declarations.ts';
import { measuredOf } from './measured.ts';

const READY = 'cache_requests_total{resource="topic",result="ready"}';

const windowOf = (...series: string[]) =>
  createSampleWindow({
    stepSeconds: 60,
    series,
    at: [0, 60_000],
    values: [series.map(() => 0), series.map(() => 30)],
  });

it('a hit ratio is 1 where no read has waited, and not known where waits may have had no place', () => {
  expect(measuredOf(windowOf(READY), 'topic')).toMatchObject({ hitRatio: 1, readsPerMinute: 30 });
  const others = Array.from({ length: MAX_SERIES - 1 }, (_, nth) => `cache_entries{resource="${nth}"}`);
  expect(measuredOf(windowOf(READY, ...others), 'topic')).toMatchObject({
    hitRatio: null,
    readsPerMinute: null,
  });
});
