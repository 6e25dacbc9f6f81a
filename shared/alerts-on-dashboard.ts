/** An alert of `docs/operating/alerts.yaml`, and what the dashboard's verdict says where its condition holds now. */
export interface AlertRule {
  /** The condition holds above this value; absent where it is no comparison of one number. */
  above?: number;
  /** The verdict's sentence without its full stop. `{value}`, `{what}` and `{since}` are filled in. */
  sentence: string;
  /** What to do. */
  advice: string;
}

/** Alerts that page: readers or their submissions are harmed now. */
const PAGING_RULES = {
  SiteAbsent: {
    sentence: 'The operators’ listener does not respond',
    advice: 'Ask /readyz of the site',
  },
  AvailabilityBurnFast: {
    above: 14.4 * 0.001,
    sentence: '{value} of responses are 5xx{since}{what}',
    advice: 'See which routes: cold pages, or a fault of the site',
  },
  OutboxDiskUnusable: {
    sentence: 'The disk of the outbox takes no messages',
    advice: 'Mend the disk of DATA_DIR: a form post that the upstream does not take is refused meanwhile',
  },
  OutboxOldestMessage: {
    above: 900,
    sentence: 'A message waits for {value}',
    advice: 'See Messages for the last error of each',
  },
  LatencyBurnFast: {
    above: 14.4 * 0.01,
    sentence: '{value} of responses take longer than 0.25 s{since}{what}',
    advice: 'See the upstream’s latency, the render queue and the event-loop lag',
  },
  ArticleBodiesUnstable: {
    above: 0,
    sentence: 'Articles have lost all but their text',
    advice: 'The log names the call (body reduced: unstable): a fault of the site, report it',
  },
} as const satisfies Record<string, AlertRule>;

/** Alerts to look at within the day. */
const OTHER_RULES = {
  CircuitBreakerOpen: {
    sentence: 'The circuit breaker is open{since}',
    advice: 'Nothing to do: what is cached is served, and the upstream is tried every five seconds',
  },
  UpstreamContentMissing: {
    above: 0,
    sentence: 'Much of the upstream’s content is missing there',
    advice: 'Tell whoever runs the upstream. Nothing is taken off the site; if it was meant, purge it',
  },
  UpstreamErrorRateHigh: {
    above: 0.1,
    sentence: 'The upstream fails{since}: {what}',
    advice: 'Nothing to do while SIE lasts: tell whoever runs the upstream',
  },
  UpstreamOperationFailing: {
    above: 0.5,
    sentence: 'An operation of the upstream fails{since}: {what}',
    advice: 'Nothing to do while SIE lasts: tell whoever runs the upstream',
  },
  UpstreamSlow: {
    above: 1,
    sentence: 'The upstream is slow{since}: {what}',
    advice: 'Nothing to do for cached pages; longer TTLs spare the upstream',
  },
  UpstreamItemsDropped: {
    above: 0,
    sentence: 'The upstream sends items that cannot be shown: {what}',
    advice: 'Tell the editors: each is left out until it is mended there',
  },
  CacheModeLeftOn: {
    sentence: '{what}',
    advice: 'Back to normal, once it is no longer needed',
  },
  FreshnessBurnFast: {
    above: 14.4 * 0.01,
    sentence: '{value} of refreshes fail',
    advice: 'See which operation of the upstream fails',
  },
  OutboxRejected: {
    above: 0,
    sentence: 'The upstream has rejected {value}',
    advice: 'See Messages: retry or discard them',
  },
  OutboxPending: {
    above: 5_000,
    sentence: '{value} messages wait',
    advice: 'Nothing to do: they are delivered at ten a second once the upstream takes them',
  },
  StaleRatioHigh: {
    above: 0.5,
    sentence: 'Most responses are stale',
    advice: 'See the refreshes and the upstream',
  },
  RefreshQueueLong: {
    above: 200,
    sentence: '{value} refreshes wait',
    advice: 'Longer TTLs spare the upstream',
  },
  RenderQueueLong: {
    above: 20,
    sentence: '{value} renders wait',
    advice: 'Add instances, or find the crawler',
  },
  EventLoopLagHigh: {
    above: 0.1,
    sentence: 'The event loop is {value} late',
    advice: 'Add CPU or instances',
  },
  MemoryHigh: {
    above: 680_000_000,
    sentence: 'The process takes {value} of memory',
    advice: 'Lower CACHE_MAX_MB, or raise the limit',
  },
  RedisDown: {
    sentence: 'This instance works without Redis{since}',
    advice: 'Mend Redis: nothing is lost meanwhile',
  },
  CdnPurgesWaiting: {
    above: 0,
    sentence: '{value} for the CDN',
    advice: 'See the log for why a purge failed',
  },
  HitRatioLow: {
    sentence: 'The hit ratio is {value}, {what}',
    advice: 'See Changes for a purge or a TTL, then for a crawler',
  },
  InstanceDown: {
    sentence: 'An instance is silent: {what}',
    advice: 'See whether the platform restarts it',
  },
  InstanceRestarts: {
    above: 2,
    sentence: 'The server started {value} times within an hour',
    advice: 'See the last log lines before each start',
  },
  VersionsDiffer: {
    sentence: 'Instances of two versions run',
    advice: 'Nothing to do during a deploy',
  },
  AvailabilityBurnSlow: {
    above: 0.001,
    sentence: '{value} of responses were 5xx in 6 hours',
    advice: 'See which routes',
  },
  LatencyBurnSlow: {
    above: 0.01,
    sentence: '{value} of responses took longer than 0.25 s in 6 hours',
    advice: 'See the upstream’s latency',
  },
  FreshnessBurnSlow: {
    above: 0.01,
    sentence: '{value} of refreshes failed in 6 hours',
    advice: 'See which operation of the upstream fails',
  },
} as const satisfies Record<string, AlertRule>;

/**
 * The rules that alerts and the dashboard's verdict share, by alert, the worst first: what the verdict says comes in this
 * order. A test holds `docs/operating/alerts.yaml` against names, severities and thresholds, and each name is a heading of
 * `docs/operating/troubleshooting.md`.
 */
export const ALERT_RULES = { ...PAGING_RULES, ...OTHER_RULES };

export type Alert = keyof typeof ALERT_RULES;

/** Alerts with a threshold of one number. */
export type ThresholdAlert = {
  [Name in Alert]: (typeof ALERT_RULES)[Name] extends { above: number } ? Name : never;
}[Alert];

/** Returns the severity of an alert. */
export function severityOf(alert: string): 'page' | 'look' {
  return alert in PAGING_RULES ? 'page' : 'look';
}

/** The service level objectives over 30 days, as shares; those of `alerts.yaml` too. */
export const OBJECTIVES = { availability: 0.999, latency: 0.99, freshness: 0.99 } as const;

/** The latency objective: responses within this many seconds. A bound of the buckets of the histogram. */
export const SLOW_SECONDS = 0.25;

/** Returns whether a value is above the threshold of its alert. Null, where nothing was counted, never is. */
export function isAlarming(alert: ThresholdAlert, value: number | null): value is number {
  return value !== null && value > ALERT_RULES[alert].above;
}
