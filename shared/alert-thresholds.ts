/**
 * Where a metric is alarming: the thresholds of `docs/operating/alerts.yaml`, which a test holds against this table. A value
 * above `above` is alarming.
 */
export const ALERT_THRESHOLDS = {
  /** The short window of the fast burn: 14.4 times the error budget. */
  errorRatio: { alert: 'AvailabilityBurnFast', above: 14.4 * 0.001 },
  upstreamErrorRatio: { alert: 'UpstreamErrorRateHigh', above: 0.1 },
  staleRatio: { alert: 'StaleRatioHigh', above: 0.5 },
  refreshQueueLength: { alert: 'RefreshQueueLong', above: 200 },
  oldestMessageAgeSeconds: { alert: 'OutboxOldestMessage', above: 900 },
  pendingMessages: { alert: 'OutboxPending', above: 5_000 },
  rejectedMessages: { alert: 'OutboxRejected', above: 0 },
  renderQueueLength: { alert: 'RenderQueueLong', above: 20 },
  eventLoopLagSeconds: { alert: 'EventLoopLagHigh', above: 0.1 },
  residentBytes: { alert: 'MemoryHigh', above: 680_000_000 },
} as const;

export type AlertThreshold = keyof typeof ALERT_THRESHOLDS;

/** The service level objectives over 30 days, as shares; those of `alerts.yaml` too. */
export const OBJECTIVES = { availability: 0.999, latency: 0.99, freshness: 0.99 } as const;

/** The latency objective: requests within this many seconds. A bound of the buckets of the histogram. */
export const SLOW_SECONDS = 0.25;

/** Returns whether a value is above the threshold of its alert. Null, where nothing was counted, never is. */
export function isAlarming(metric: AlertThreshold, value: number | null): boolean {
  return value !== null && value > ALERT_THRESHOLDS[metric].above;
}
