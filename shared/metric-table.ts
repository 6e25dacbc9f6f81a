/** How the dashboard's samples keep a metric: the series that have the same values of some labels are summed up. */
export interface Sampling {
  /** Labels that are kept. */
  by: readonly string[];
  /** What values of these labels become; null leaves their series out. Other values stay. */
  merge?: Readonly<Record<string, string | null>>;
  /** Of a histogram: bounds up to the last of these are thinned to these. */
  bounds?: readonly number[];
}

/** A metric: declared once, for code, documents, dashboard and the Grafana board. */
export interface MetricDeclaration {
  kind: 'counter' | 'gauge' | 'histogram';
  unit: 'requests' | 'seconds' | 'bytes' | 'messages' | 'entries' | 'renders' | 'items' | 'none';
  help: string;
  labels: readonly string[];
  /** The dashboard's labels of the numbers that are made of it; none where it is in Prometheus alone. */
  shown: readonly string[];
  /** Not given: not sampled. */
  sampled?: Sampling;
}

const ALL: Sampling = { by: [] };

/**
 * The metrics of the site, by name. The first of them are the first to get a place among the sampled series. Those whose
 * kind is not ours to choose (`process_*`, `nodejs_*`) are the metrics library's own; of them, what is sampled is here.
 */
export const METRICS = {
  response_cache_requests_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Responses of pages, API reads and feeds by their Cache-Status; hit and stale: it was ready; miss: the reader waited',
    labels: ['result'],
    shown: ['Hit ratio', 'fresh', 'stale', 'waited'],
    sampled: { by: ['result'] },
  },
  http_requests_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Responses by route template, method and status code',
    labels: ['route', 'method', 'status'],
    shown: ['Requests/s', 'Error rate', '5xx'],
    sampled: { by: ['status'] },
  },
  http_refusals_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Requests that a limit refused (429), by the limit: read, write or beacon; no part of hit ratio and latency',
    labels: ['limit'],
    shown: ['429'],
    sampled: { by: ['limit'] },
  },
  http_request_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time from the head of the request to the last byte of the response, by route template, without what a limit refused',
    labels: ['route'],
    shown: ['p50', 'p95', 'p99', 'slow'],
    sampled: { by: [], bounds: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5] },
  },
  http_cache_miss_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'The part of http_request_duration_seconds whose readers waited (Cache-Status: fwd)',
    labels: ['route'],
    shown: ['p95 of misses'],
    sampled: { by: [], bounds: [0.025, 0.1, 0.25] },
  },
  upstream_requests_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Upstream requests that were sent, by operation and outcome; not-found: that is a response; else the kind of the failure',
    labels: ['operation', 'outcome'],
    shown: ['Upstream requests/s', 'calls/min', 'errors'],
    // Those that succeeded are the rest of what was sent, which the durations count.
    sampled: { by: ['operation', 'outcome'], merge: { ok: null, 'not-found': null } },
  },
  upstream_refusals_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Upstream requests that were not sent, by reason: breaker-open, overloaded',
    labels: ['operation', 'reason'],
    shown: ['not sent'],
    sampled: { by: ['reason'] },
  },
  upstream_dropped_items_total: {
    kind: 'counter',
    unit: 'items',
    help: 'Items of upstream lists that were left out, because they break a rule',
    labels: ['operation'],
    shown: ['dropped items'],
    sampled: { by: ['operation'] },
  },
  upstream_circuit_breaker_state: {
    kind: 'gauge',
    unit: 'none',
    help: '1 for the state in force of the circuit breaker of upstream reads',
    labels: ['state'],
    shown: ['Circuit breaker'],
    sampled: { by: ['state'], merge: { 'half-open': null, closed: null } },
  },
  upstream_content_missing: {
    kind: 'gauge',
    unit: 'none',
    help: '1 while much of what was cached is missing upstream, so that it is served as before',
    labels: [],
    shown: ['Content missing upstream'],
    sampled: ALL,
  },
  article_bodies_reduced_total: {
    kind: 'counter',
    unit: 'items',
    help: 'Bodies that were not kept whole, by reason; unstable: only the text is left, which is a fault of the site',
    labels: ['reason'],
    shown: ['Articles without their markup'],
    sampled: { by: ['reason'] },
  },
  outbox_disk_usable: {
    kind: 'gauge',
    unit: 'none',
    help: '0 while the disk of the outbox takes no messages; it is tried again each minute',
    labels: [],
    shown: ['Outbox: disk'],
    sampled: ALL,
  },
  outbox_messages: {
    kind: 'gauge',
    unit: 'messages',
    help: 'Messages in the outbox; rejected: kept for 30 days, until an operator retries or discards them',
    labels: ['kind', 'state'],
    shown: ['Outbox: pending', 'Outbox: rejected'],
    sampled: {
      by: ['kind', 'state'],
      merge: { subscription: 'submissions', contact: 'submissions', 'opt-out': 'submissions', view: 'views' },
    },
  },
  outbox_oldest_message_age_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest pending message; 0 while none is pending',
    labels: [],
    shown: ['Oldest message'],
    sampled: ALL,
  },
  cache_refreshes_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Background refreshes that ended, by result',
    labels: ['resource', 'result'],
    shown: ['Refreshes'],
    sampled: { by: ['result'] },
  },
  cache_refresh_queue_length: {
    kind: 'gauge',
    unit: 'requests',
    help: 'Background refreshes that are queued; at most 64 run at once',
    labels: [],
    shown: ['Refresh queue'],
    sampled: ALL,
  },
  render_queue_length: {
    kind: 'gauge',
    unit: 'renders',
    help: 'Renders that are queued, their data loaded; from 200 on, requests that need a render are shed',
    labels: [],
    shown: ['Render queue'],
    sampled: ALL,
  },
  event_loop_lag_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Event-loop lag over the last one to two minutes, the same for every scraper; nodejs_eventloop_lag_* start anew with each scrape',
    labels: ['stat'],
    shown: ['Event-loop lag'],
    sampled: { by: ['stat'], merge: { p50: null, max: null } },
  },
  process_resident_memory_bytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'Resident memory size in bytes.',
    labels: [],
    shown: ['RSS'],
    sampled: ALL,
  },
  process_start_time_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    labels: [],
    shown: ['Started'],
    sampled: ALL,
  },
  redis_up: {
    kind: 'gauge',
    unit: 'none',
    help: '1 while Redis is used; 0: this instance works alone',
    labels: [],
    shown: ['Redis'],
    sampled: ALL,
  },
  cdn_purge_queue_length: {
    kind: 'gauge',
    unit: 'entries',
    help: 'Tags waiting to be purged at the CDN',
    labels: [],
    shown: ['CDN purges'],
    sampled: ALL,
  },
  upstream_request_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Duration of upstream requests that were sent, by operation',
    labels: ['operation'],
    shown: ['Upstream latency'],
    sampled: { by: ['operation'], bounds: [0.1, 0.5, 1] },
  },
  cache_requests_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Data reads by result: those of cached pages count one for each piece of data; error: loads that failed, refreshes included, beside the result of the read',
    labels: ['resource', 'result'],
    shown: ['Data reads', 'measured hit ratio'],
    sampled: {
      by: ['resource', 'result'],
      merge: { hit: 'ready', stale: 'ready', miss: 'waited', coalesced: 'waited', error: null },
    },
  },
  cache_served_age_seconds_total: {
    kind: 'counter',
    unit: 'seconds',
    help: 'Sum of the ages of what reads with the result hit or stale were served, since its load from the upstream',
    labels: ['resource'],
    shown: ['age served'],
    sampled: { by: ['resource'] },
  },
  cache_entries: {
    kind: 'gauge',
    unit: 'entries',
    help: 'entries of the content cache by resource, and of the response cache (resource="pages")',
    labels: ['resource'],
    shown: ['Entries'],
  },
  cache_size_bytes: {
    kind: 'gauge',
    unit: 'bytes',
    help: 'bytes of the content cache by resource, and of the response cache (resource="pages")',
    labels: ['resource'],
    shown: ['Size'],
  },
  cache_mode_info: {
    kind: 'gauge',
    unit: 'none',
    help: '1 for the mode in force',
    labels: ['mode'],
    shown: ['Mode'],
  },
  cache_ttl_factor: {
    kind: 'gauge',
    unit: 'none',
    help: 'What every TTL is multiplied by',
    labels: [],
    shown: ['TTL factor'],
  },
  article_body_losses_total: {
    kind: 'counter',
    unit: 'items',
    help: 'Elements of bodies that became a link or were removed, by element',
    labels: ['outcome', 'element'],
    shown: [],
  },
  site_folder_valid: {
    kind: 'gauge',
    unit: 'none',
    help: '0 while the last change of the site folder has a mistake, so that the state before it is in force',
    labels: [],
    shown: [],
  },
  build_info: {
    kind: 'gauge',
    unit: 'none',
    help: '1, with what runs as labels: version of the package, revision of the source, identity of the client build',
    labels: ['version', 'revision', 'client'],
    shown: [],
  },
  outbox_deliveries_total: {
    kind: 'counter',
    unit: 'messages',
    help: 'Attempts to deliver a message to the upstream; failed: it is tried again',
    labels: ['kind', 'outcome'],
    shown: [],
  },
  render_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Duration of a render, without the wait for its data',
    labels: [],
    shown: [],
  },
  cdn_purges_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Purge calls to the CDN',
    labels: ['outcome'],
    shown: [],
  },
  image_transforms_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Image transforms by format and result: ok, error, or rejected for want of capacity',
    labels: ['format', 'result'],
    shown: [],
  },
  image_transform_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time to decode, resize and encode a picture',
    labels: [],
    shown: [],
  },
  web_vitals_lcp_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Largest Contentful Paint, of a sample of documents',
    labels: ['route', 'device'],
    shown: [],
  },
  web_vitals_inp_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Interaction to Next Paint of the whole visit, by the route of its document; a sample of documents',
    labels: ['route', 'device'],
    shown: [],
  },
  web_vitals_cls: {
    kind: 'histogram',
    unit: 'none',
    help: 'Cumulative Layout Shift of the whole visit, by the route of its document; a sample of documents whose browser measures it',
    labels: ['route', 'device'],
    shown: [],
  },
  web_vitals_chunk_load_errors_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Scripts that a page asked for and did not get, of a sample of documents',
    labels: ['route'],
    shown: [],
  },
} as const satisfies Record<string, MetricDeclaration>;

export type MetricName = keyof typeof METRICS;
/** Names of the metrics of a kind. */
export type MetricOfKind<Kind extends MetricDeclaration['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
/** Names of the labels of a metric. */
export type LabelsOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

/** Metrics in the order in which they get a place among the sampled series. */
export const SAMPLED_METRICS: readonly (readonly [MetricName, MetricDeclaration & { sampled: Sampling }])[] =
  declarations().flatMap(([name, metric]) =>
    metric.sampled === undefined ? [] : [[name, { ...metric, sampled: metric.sampled }] as const],
  );

function declarations(): [MetricName, MetricDeclaration][] {
  const names = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);
  return names.map((name) => [name, METRICS[name]]);
}

/** Bounds of histograms of times, without those near the upstream timeout. */
const DURATION_BOUNDS = {
  http_request_duration_seconds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  http_cache_miss_duration_seconds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  upstream_request_duration_seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
} as const satisfies Partial<Record<MetricName, readonly number[]>>;
export type DurationMetric = keyof typeof DURATION_BOUNDS;

/** Shares of the upstream timeout with a bound: what has just come in time differs from what has not. */
const TIMEOUT_SHARES = [0.9, 1, 1.1];

/** Returns the upper bounds of the buckets of a histogram of times, ascending. */
export function bucketBounds(name: DurationMetric, upstreamTimeoutMs: number): number[] {
  const near = TIMEOUT_SHARES.map((share) => Math.round(upstreamTimeoutMs * share) / 1000);
  return [...new Set([...DURATION_BOUNDS[name], ...near])].sort((one, other) => one - other);
}

/** Returns the bounds that samples keep of them. */
export function sampledBounds(name: DurationMetric, upstreamTimeoutMs: number): number[] {
  const kept: readonly number[] = METRICS[name].sampled.bounds;
  const last = kept.at(-1) ?? 0;
  return [...kept, ...bucketBounds(name, upstreamTimeoutMs).filter((bound) => bound > last)];
}
