import type { z } from 'zod';
import type { HistoryEvent, HistoryPoint } from './ops/ops-schemas.ts';

/** Metrics of the dashboard. Ratios run from 0 to 1; they, rates and quantiles are null where nothing was counted. */

/**
 * One point of the plots, measured over the ten seconds before it, or over what there is of them; a thinned one over one
 * or five minutes.
 */
export type LivePoint = z.infer<typeof HistoryPoint>;
export type Quantiles = NonNullable<LivePoint['requests']['durationSeconds']>;
export type StatusClass = keyof LivePoint['requests']['perSecondByClass'];

/** TTL, stale-while-revalidate and stale-if-error of a resource, in seconds. */
export interface CachePolicy {
  ttl: number;
  swr: number;
  sie: number;
}

/** One resource: counts since the start, its policy, and the last minute. */
export interface LiveResource {
  entries: number;
  bytes: number;
  hits: number;
  misses: number;
  staleHits: number;
  coalesced: number;
  refreshes: number;
  refreshSuccesses: number;
  refreshErrors: number;
  errors: number;
  /** Sum of the ages of what hits and stale hits were served. */
  servedAgeSeconds: number;
  /** In force. */
  policy: CachePolicy;
  configured: CachePolicy;
  /** Set by an operator while the server runs. */
  changed: boolean;
  lastMinute: {
    reads: number | null;
    hitRatio: number | null;
    staleRatio: number | null;
    /** Loads: one upstream request each, or two where a reader waits and the first fails. */
    upstreamRequests: number | null;
    errors: number | null;
    meanAgeSeconds: number | null;
  };
}

/** The mode of the cache. `endsInSeconds`: null in the normal mode. */
export interface LiveMode {
  mode: 'normal' | 'freeze' | 'bypass';
  ttlFactor: number;
  endsInSeconds: number | null;
}

/** What the outbox holds. */
export interface OutboxStatus {
  pending: { submissions: number; views: number };
  /** Rejected by the upstream; kept until an operator retries them. */
  rejected: number;
  /** Age of the oldest pending message; 0 where there is none. */
  oldestMessageAgeSeconds: number;
}

/** The service level indicators of the last day, or since the start. All responses count but health checks. */
export interface ServiceLevels {
  /** How far back they go. */
  seconds: number;
  /** Share of responses without a 5xx status. */
  availability: number | null;
  /** Share of requests within the latency objective. */
  latency: number | null;
  /** Share of background refreshes that succeeded. */
  freshness: number | null;
  /** Share of pages, API calls and feeds that were served from the response cache. */
  fromCache: number | null;
  /** The p95 of readers' requests that the front cache did not serve. */
  missP95Seconds: number | null;
}

/** One operation of the upstream in the last minute. */
export interface UpstreamOperation {
  operation: string;
  requestsPerMinute: number;
  errorRatio: number | null;
  p95Seconds: number | null;
}

/** One route of readers in the last minute. */
export interface RouteMetrics {
  /** Its template. */
  route: string;
  requestsPerMinute: number;
  /** Share of the requests that the response cache served. */
  hitRatio: number | null;
  p95Seconds: number | null;
}

/** What happened at a moment of the plots. */
export type MetricsEvent = z.infer<typeof HistoryEvent>;

/** All metrics of one moment. */
export interface LiveMetrics extends LivePoint {
  uptimeSeconds: number;
  serviceLevels: ServiceLevels;
  /** Those that were requested in the last minute. */
  upstreamOperations: UpstreamOperation[];
  /** Those that were requested in the last minute. */
  routes: RouteMetrics[];
  circuitBreaker: 'closed' | 'half-open' | 'open';
  refreshes: { running: number; queued: number };
  outbox: OutboxStatus;
  mode: LiveMode;
  /** The response cache. */
  pages: { entries: number; bytes: number };
  resources: Record<string, LiveResource>;
}
