import { Registry } from '@prometheus-io/client';
import { expect, it } from 'vitest';
import { registerCounter, registerHistogram, registerReading } from '#server/ops/metrics/register-metrics.ts';
import { declarations, SAMPLED_METRICS, shownLabels } from '#shared/metric-declarations.ts';
import { parseSeriesName } from '#shared/series-name.ts';
import { readSample } from './read-sample.ts';

it('sums up the series with the same values of the labels that are kept', async () => {
  const registry = new Registry();
  const requests = registerCounter(registry, 'http_requests_total');
  requests.inc({ route: '/a', method: 'GET', status: 200 }, 3);
  requests.inc({ route: '/b', method: 'GET', status: 200 }, 4);
  requests.inc({ route: '/b', method: 'GET', status: 503 });
  registerReading(registry, 'cache_requests_total', () => [
    [{ resource: 'topic', result: 'hit' }, 5],
    [{ resource: 'topic', result: 'stale' }, 2],
    [{ resource: 'topic', result: 'error' }, 9],
    [{ resource: 'home', result: 'miss' }, 0],
  ]);
  expect(Object.fromEntries(await readSample([registry]))).toEqual({
    'http_requests_total{status="200"}': 7,
    'http_requests_total{status="503"}': 1,
    'cache_requests_total{resource="topic",result="ready"}': 7,
  });
});

it('counts a histogram by bucket, those below the last kept bound thinned', async () => {
  const registry = new Registry();
  const durations = registerHistogram(registry, 'upstream_request_duration_seconds', [0.05, 0.1, 0.5, 1, 2]);
  for (const seconds of [0.01, 0.07, 0.2, 1.5, 9]) durations.observe({ operation: 'author' }, seconds);
  durations.observe({ operation: 'post.tag' }, 0.01);
  expect(Object.fromEntries(await readSample([registry]))).toEqual({
    'upstream_request_duration_seconds{operation="author",le="0.1"}': 2,
    'upstream_request_duration_seconds{operation="author",le="0.5"}': 1,
    'upstream_request_duration_seconds{operation="author",le="2"}': 1,
    'upstream_request_duration_seconds{operation="author",le="+Inf"}': 1,
    'upstream_request_duration_seconds{operation="post.tag",le="0.1"}': 1,
  });
});

it('a name is read back as it was made', () => {
  expect(parseSeriesName('http_requests_total{status="200",route="a\\"b"}')).toEqual({
    metric: 'http_requests_total',
    labels: { status: '200', route: 'a"b' },
  });
  expect(parseSeriesName('redis_up')).toEqual({ metric: 'redis_up', labels: {} });
});

it('every metric is declared once, with its help and where it is shown; what is shown by time is sampled', () => {
  for (const [name, { help }] of declarations()) expect(help, name).not.toBe('');
  for (const [name, metric] of SAMPLED_METRICS) expect(shownLabels(metric), name).not.toEqual([]);
  for (const [name, { lines = [], sampled, sampledLast }] of declarations())
    for (const { label, where = {} } of lines) {
      const kept = [sampled, sampledLast].flatMap((sampling) => sampling?.by ?? []);
      expect(sampled, `\`sampled\` in shared/metric-declarations.ts: ${label} of ${name}`).toBeDefined();
      expect(kept, `${label} of ${name}`).toEqual(expect.arrayContaining(Object.keys(where)));
    }
});
