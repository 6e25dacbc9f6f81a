import type { z } from 'zod';
import type { MetricsHistoryResponse } from './ops/ops-schemas.ts';

/** TTL, stale-while-revalidate and stale-if-error of a resource, in seconds. */
export interface CachePolicy {
  ttl: number;
  swr: number;
  sie: number;
}

/** The mode of the cache. `endsInSeconds`: null in the normal mode. */
export interface LiveMode {
  mode: 'normal' | 'freeze' | 'bypass';
  ttlFactor: number;
  endsInSeconds: number | null;
}

/** The last failure of each upstream operation, by operation. `at`: ISO 8601. */
export type LastFailures = Record<string, { at: string; outcome: string; reason: string }>;

/** What the dashboard shows besides numbers. */
export interface LiveState {
  /** UPSTREAM_TIMEOUT_MS: decides bounds of histograms. */
  upstreamTimeoutMs: number;
  mode: LiveMode;
  lastFailures: LastFailures;
  /** Id of the last change of an operator; null where there was none. */
  lastChange: string | null;
}

/** The newest sample of the metrics. */
export interface LiveSample {
  /** Wall milliseconds. */
  at: number;
  /** By name of the series. Of a histogram: counts by bucket, not cumulative. */
  values: Readonly<Record<string, number>>;
  state: LiveState;
}

/** Samples of the metrics, oldest first. */
export type MetricsHistory = z.infer<typeof MetricsHistoryResponse>;
