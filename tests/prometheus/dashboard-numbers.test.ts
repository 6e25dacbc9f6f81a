import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LivePoint } from '#shared/models/metrics.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../integration/site-under-test.ts';
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts';

/** Of a number that Prometheus has: the dashboard may differ by this share. */
const TOLERANCE = 0.02;

/** A number of the dashboard, and the expression that has the same in Prometheus, for a window such as `[10s]`. */
interface Shown {
  shown: (point: LivePoint) => number | null;
  expression: (window: string) => string;
}

/** The growth of a counter: exact, where `increase` would extrapolate. A series that is new grew from nothing. */
const grown = (series: string) => (window: string) =>
  `(sum(${series}) - (sum(${series} offset ${window.slice(1, -1)}) or vector(0)))`;
const perSecond = (series: string) => (window: string) =>
  `${grown(series)(window)} / ${Number.parseFloat(window.slice(1)) / 1000}`;
const share = (part: string, whole: string) => (window: string) =>
  `(${grown(part)(window)} or vector(0)) / ${grown(whole)(window)}`;
const quantile = (q: number, histogram: string) => (window: string) =>
  `histogram_quantile(${q}, sum by (le) (${histogram}_bucket) - (sum by (le) (${histogram}_bucket offset ${window.slice(1, -1)}) or sum by (le) (${histogram}_bucket) * 0))`;

const NUMBERS: Record<string, Shown> = {
  'Requests/s': {
    shown: ({ requests }) => requests.perSecond,
    expression: perSecond('http_requests_total'),
  },
  'Requests/s 2xx': {
    shown: ({ requests }) => requests.perSecondByClass['2xx'],
    expression: perSecond('http_requests_total{status=~"2.."}'),
  },
  'Requests/s 4xx': {
    shown: ({ requests }) => requests.perSecondByClass['4xx'],
    expression: perSecond('http_requests_total{status=~"4.."}'),
  },
  'Requests/s 5xx': {
    shown: ({ requests }) => requests.perSecondByClass['5xx'],
    expression: perSecond('http_requests_total{status=~"5.."}'),
  },
  'Error rate': {
    shown: ({ requests }) => requests.errorRatio,
    expression: share('http_requests_total{status=~"5.."}', 'http_requests_total'),
  },
  'Hit ratio, pages': {
    shown: ({ requests }) => requests.hitRatio,
    expression: share('response_cache_requests_total{result="hit"}', 'response_cache_requests_total'),
  },
  'Hit ratio, data': {
    shown: ({ cache }) => cache.hitRatio,
    expression: share(
      'cache_requests_total{result=~"hit|stale"}',
      'cache_requests_total{result=~"hit|stale|miss|coalesced"}',
    ),
  },
  p50: {
    shown: ({ requests }) => requests.durationSeconds?.p50 ?? null,
    expression: quantile(0.5, 'http_request_duration_seconds'),
  },
  p95: {
    shown: ({ requests }) => requests.durationSeconds?.p95 ?? null,
    expression: quantile(0.95, 'http_request_duration_seconds'),
  },
  p99: {
    shown: ({ requests }) => requests.durationSeconds?.p99 ?? null,
    expression: quantile(0.99, 'http_request_duration_seconds'),
  },
  'p95 of misses': {
    shown: ({ requests }) => requests.missSeconds?.p95 ?? null,
    expression: quantile(0.95, 'http_cache_miss_duration_seconds'),
  },
  'Upstream requests/s': {
    shown: ({ upstream }) => upstream.requestsPerSecond,
    expression: perSecond('upstream_requests_total'),
  },
  'Upstream error rate': {
    shown: ({ upstream }) => upstream.errorRatio,
    expression: share('upstream_requests_total{outcome!~"ok|not-found"}', 'upstream_requests_total'),
  },
  'Upstream latency p95': {
    shown: ({ upstream }) => upstream.durationSeconds?.p95 ?? null,
    expression: quantile(0.95, 'upstream_request_duration_seconds'),
  },
};

let site: SiteUnderTest;
let prometheus: PrometheusServer;
let window: { point: LivePoint; ms: number };

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function pointsOf(): Promise<readonly LivePoint[]> {
  const { points } = await (await fetch(`${site.ops}/history?minutes=5`)).json();
  return points;
}

/** Resolves with all points once there is a later one than the last of `known`. */
async function nextPoints(known: readonly LivePoint[]): Promise<readonly LivePoint[]> {
  for (;;) {
    const points = await pointsOf();
    if (points.at(-1)?.at !== known.at(-1)?.at) return points;
    await pause(50);
  }
}

/** Hits, misses, pages that are not there, and an upstream that fails: what each panel shows. */
async function sendTraffic(round: number): Promise<void> {
  for (let request = 0; request < 150; request++) await (await fetch(`${site.origin}/api/home`)).text();
  for (const page of [1, 2, 3]) await (await fetch(`${site.origin}/topic/news?page=${page}`)).text();
  for (let missing = 0; missing < 10; missing++)
    await (await fetch(`${site.origin}/api/events/none-${round}-${missing}`)).text();
  await site.faults([{ path: '/api/*', kind: 'status', status: 500 }]);
  for (let failed = 0; failed < 10; failed++)
    await (await fetch(`${site.origin}/api/search/news/word-${round}-${failed}`)).text();
  await site.faults([]);
}

/** Returns when the last scrape before a moment was, in milliseconds since 1970; null where it failed. */
async function scrapedBefore(ms: number): Promise<number | null> {
  const seconds = await prometheus.valueAt('timestamp(up == 1)', ms);
  return seconds === null ? null : seconds * 1000;
}

/** Sends traffic within one of the ten-second windows of the history, and returns that window. */
beforeAll(async () => {
  site = await startSiteUnderTest();
  prometheus = await startPrometheus(site.ops);
  let points = await pointsOf();
  let idleSince = 0;
  for (let round = 0; ; round++) {
    // Nothing was counted before the first round.
    if (round > 0) points = await nextPoints(points);
    const from = Date.parse(points.at(-1)?.at ?? '');
    const before = idleSince;
    await sendTraffic(round);
    idleSince = Date.now();
    points = await nextPoints(points);
    const point = points.at(-1);
    const to = Date.parse(point?.at ?? '');
    // On a busy machine traffic may go on past its window, or a scrape may time out: another round, then.
    const scrapes = [await scrapedBefore(from), await scrapedBefore(to)];
    if (point === undefined || (scrapes[0] ?? 0) < before || (scrapes[1] ?? 0) < idleSince) continue;
    window = { point, ms: to - from };
    return;
  }
}, 300_000);

afterAll(async () => {
  await prometheus.stop();
  await site.close();
});

it.each(Object.entries(NUMBERS))('%s is that of Prometheus over the same seconds', async (_name, number) => {
  const { point, ms } = window;
  const shown = number.shown(point);
  const scraped = await prometheus.valueAt(number.expression(`[${ms}ms]`), Date.parse(point.at));
  expect(scraped).toBeGreaterThan(0);
  expect(Math.abs((shown ?? Number.NaN) / (scraped ?? Number.NaN) - 1)).toBeLessThan(TOLERANCE);
});
