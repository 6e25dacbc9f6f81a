import type { LivePoint, MetricsEvent, ServiceLevels } from '#shared/models/metrics.ts';
import { RESOURCES } from '#shared/models/resources.ts';
import {
  pointOf,
  ratesOf,
  type ServiceCounts,
  serviceCountsOf,
  serviceLevelsBetween,
} from './live-metrics.ts';
import { type Counted, countedBetween, type Sums, type Totals } from './live-totals.ts';

/** Half an hour by ten seconds, six hours by the minute, a day by five minutes. */
const RESOLUTIONS = [
  { stepMs: 10_000, maxPoints: 180 },
  { stepMs: 60_000, maxPoints: 360 },
  { stepMs: 300_000, maxPoints: 288 },
] as const;
/** Samples come every ten seconds, give or take. */
const TOLERANCE_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_EVENTS = 200;
/** Of the hit ratios of one resource, by the minute. */
const MAX_HIT_RATIOS = 30;

/** One resolution: its points, and the totals at the last of them. */
interface Resolution {
  stepMs: number;
  maxPoints: number;
  last: Sums | null;
  points: LivePoint[];
}

/** The metrics of the last day in a bounded number of points. */
export interface MetricsHistory {
  /** Adds a sample. `at`: ISO 8601. To be called every ten seconds. */
  add(totals: Totals, at: string): void;
  /** Returns the points of the last `minutes`, oldest first, in the finest resolution that goes back so far. */
  points(minutes: number): readonly LivePoint[];
  /** Returns the hit ratio of each resource by the minute, for half an hour, oldest first. */
  hitRatios(): Readonly<Record<string, (number | null)[]>>;
  /** Returns what the samples themselves show to have happened, oldest first. */
  events(): readonly MetricsEvent[];
  /** Returns the indicators up to a sample, since a day before it or since the first. */
  serviceLevels(totals: Totals): ServiceLevels;
}

/**
 * Makes an empty history. Each point is measured over its whole step: thinning loses resolution and no request. `version`: what
 * runs, for the event of its start.
 */
export function createMetricsHistory(version: string): MetricsHistory {
  const resolutions = RESOLUTIONS.map(
    (resolution): Resolution => ({ ...resolution, last: null, points: [] }),
  );
  /** By the coarsest step, one more than its points. */
  const counts: ServiceCounts[] = [];
  const events: MetricsEvent[] = [];
  const hitRatios: Record<string, (number | null)[]> = {};
  let rejections: { total: number; grew: boolean } | null = null;

  function addPoint(resolution: Resolution, totals: Sums, at: string): void {
    const { last, stepMs, maxPoints, points } = resolution;
    if (last !== null && totals.at - last.at < stepMs - TOLERANCE_MS) return;
    const counted = countedBetween(last ?? totals, totals);
    points.push(pointOf(counted, at));
    if (last !== null && stepMs === MINUTE_MS) addHitRatios(counted);
    if (points.length > maxPoints) points.shift();
    resolution.last = totals;
  }

  function addHitRatios({ resources, seconds }: Counted): void {
    for (const resource of RESOURCES) {
      const { hitRatio } = ratesOf(resources[resource], seconds);
      hitRatios[resource] = [...(hitRatios[resource] ?? []), hitRatio].slice(-MAX_HIT_RATIOS);
    }
  }

  function addCounts(totals: Sums): void {
    const last = counts.at(-1);
    if (last && totals.at - last.at < RESOLUTIONS[2].stepMs - TOLERANCE_MS) return;
    counts.push(serviceCountsOf(totals));
    while ((counts[1]?.at ?? totals.at) <= totals.at - DAY_MS) counts.shift();
  }

  /** An open breaker may close between two samples: what it rejected remains counted. */
  function addBreakerEvent({ breakerRejections: total }: Sums, at: string): void {
    const grew = rejections !== null && total > rejections.total;
    if (grew && !rejections?.grew) addEvent({ at, kind: 'circuit-breaker', text: 'circuit breaker opened' });
    rejections = { total, grew };
  }

  function addEvent(event: MetricsEvent): void {
    events.push(event);
    if (events.length > MAX_EVENTS) events.shift();
  }

  return {
    add({ routes: _routes, operations: _operations, ...totals }, at) {
      if (counts.length === 0) addEvent({ at, kind: 'start', text: `process started, version ${version}` });
      for (const resolution of resolutions) addPoint(resolution, totals, at);
      addCounts(totals);
      addBreakerEvent(totals, at);
    },
    points(minutes) {
      const fits = ({ stepMs, maxPoints }: Resolution) => stepMs * maxPoints >= minutes * MINUTE_MS;
      const { points, stepMs } = resolutions.find(fits) ?? resolutions[2] ?? { points: [], stepMs: 1 };
      return points.slice(-Math.ceil((minutes * MINUTE_MS) / stepMs));
    },
    hitRatios: () => hitRatios,
    events: () => events,
    serviceLevels(totals) {
      const after = serviceCountsOf(totals);
      return serviceLevelsBetween(counts[0] ?? after, after);
    },
  };
}
