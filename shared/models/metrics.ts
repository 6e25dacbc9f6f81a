import type { z } from 'zod';
import type { MetricsHistoryResponse, ModeResponse } from './ops/ops-schemas.ts';

/** The mode of the cache. `endsInSeconds`: null in the normal mode. */
export type LiveMode = z.infer<typeof ModeResponse>;

/** What failed last of each upstream operation, by operation. `at`: wall milliseconds. `key`: of the cache; null for a delivery. */
export type LastFailures = Record<string, { at: number; reason: string; key: string | null }>;

/** What the dashboard shows besides numbers. */
export interface LiveState {
  /** UPSTREAM_TIMEOUT_MS: decides bounds of histograms. */
  upstreamTimeoutMs: number;
  mode: LiveMode;
  lastFailures: LastFailures;
  /** The same of the items that were left out of lists. */
  lastDrops: LastFailures;
  /** The last response to a reader, other than to a form, with a 5xx status; null where there was none. `at`: wall milliseconds. */
  lastFailedRead: { at: number; status: number; route: string; url: string } | null;
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
