import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { isPageRoute } from '#server/ops/metrics/route-label.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';

/** Counts of a histogram: how many took at most so many seconds, by ascending bound; the last bound is infinite. */
export type Buckets = readonly { le: number; count: number }[];

/** Everything that only ever grows, at one moment. */
export interface Totals {
  /** Monotonic milliseconds. */
  at: number;
  /** Pages and API answers. */
  answers: number;
  failed: number;
  /** Of the response cache: all, and those of them that were made for who asked. */
  responses: ReturnType<ResponseCache<unknown>['counts']>;
  responseSeconds: Buckets;
  calls: number;
  callErrors: number;
  callSeconds: Buckets;
  cpuSeconds: number;
  resources: ReturnType<ContentCache['stats']>;
}

/** One line of a metric, as the registry holds it. */
export interface Sample {
  labels: Partial<Record<string, string | number>>;
  value: number;
  metricName?: string;
}

/** Reads the totals off the metrics that are counted anyway, so that a look costs readers nothing. */
export async function readTotals(
  registry: Registry,
  cache: Pick<ContentCache, 'stats'>,
  responses: Pick<ResponseCache<unknown>, 'counts'>,
  at: number,
): Promise<Totals> {
  const [requests, durations, calls, callDurations] = await Promise.all(
    [
      'http_requests_total',
      'http_request_duration_seconds',
      'upstream_calls_total',
      'upstream_call_duration_seconds',
    ].map((name) => samplesOf(registry, name)),
  );
  const answers = requests?.filter(isForReaders) ?? [];
  const { user, system } = process.cpuUsage();
  return {
    at,
    answers: sum(answers),
    failed: sum(answers.filter(({ labels }) => labels['status'] === '5xx')),
    responses: responses.counts(),
    responseSeconds: bucketsOf(durations?.filter(isForReaders) ?? []),
    calls: sum(calls ?? []),
    callErrors: sum(calls?.filter(({ labels }) => labels['outcome'] !== 'ok') ?? []),
    callSeconds: bucketsOf(callDurations ?? []),
    cpuSeconds: (user + system) / 1e6,
    resources: cache.stats(),
  };
}

/** The lines of a metric; none where it is not counted. */
export async function samplesOf(registry: Registry, name: string): Promise<Sample[]> {
  return (await registry.getSingleMetric(name)?.get())?.values ?? [];
}

/** Assets, health checks and feeds would hide what readers of pages wait for. */
function isForReaders({ labels }: Sample): boolean {
  const route = String(labels['route']);
  return isPageRoute(route) || route.startsWith('/api/');
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0);
}

/** The buckets of a histogram's lines, those of several label sets summed up. */
export function bucketsOf(samples: readonly Sample[]): Buckets {
  const counts = new Map<number, number>();
  for (const { labels, value, metricName } of samples) {
    if (!metricName?.endsWith('_bucket')) continue;
    const le = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']);
    counts.set(le, (counts.get(le) ?? 0) + value);
  }
  return [...counts].map(([le, count]) => ({ le, count })).sort((one, other) => one.le - other.le);
}
