/** How the dashboard's samples keep a metric: the series that have the same values of some labels are summed up. */
export interface Sampling {
  /** Labels that are kept. */
  by: readonly string[];
  /** What values of these labels become; null leaves their series out. Other values stay. */
  merge?: Readonly<Record<string, string | null>>;
  /** Of a histogram: bounds up to the last of these are thinned to these. */
  bounds?: readonly number[];
}

/** Rows of the Grafana board, in their order. */
export const BOARD_ROWS = [
  'Requests',
  'Cache',
  'Upstream',
  'Outbox',
  'Articles',
  'Images',
  'Web Vitals',
  'CDN',
  'Process',
] as const;

/** How the Grafana board shows a metric: counters as rates, histograms as quantiles, gauges as they are. */
export interface BoardPanel {
  row: (typeof BOARD_ROWS)[number];
  title: string;
  /** Labels with a line of their own for each value; `instance` is Prometheus' own. */
  by?: readonly string[];
  /** Of gauges. Default: the sum; of times and of those without a unit the maximum. `age`: time since then. */
  aggregate?: 'count' | 'min' | 'age';
  /** Of histograms. */
  quantiles?: readonly number[];
  /** Of rates. Default: Grafana's own interval. */
  window?: string;
}

/** A line of a plot of the dashboard: how fast a counter grows, of its series with these values of labels. */
export interface RateLine {
  plot: 'Responses' | 'Upstream requests';
  label: string;
  /** Class of the style sheet: its colour. */
  tone: 'good' | 'cool' | 'warn' | 'bad' | 'faint' | 'plain';
  where?: Readonly<Record<string, string>>;
}

/** A metric: declared once, for code, documents, dashboard and the Grafana board. */
export interface MetricDeclaration {
  /** Default: that of the end of its name; else a counter counts requests, and the others have none. */
  unit?: 'requests' | 'messages' | 'entries' | 'renders' | 'items';
  help: string;
  labels: readonly string[];
  /** What an operator sees or asks when it is the metric to look at. Markdown. */
  lookWhen: string;
  /** Its panel on the Grafana board. */
  board: BoardPanel;
  /** Lines of the dashboard's plots that are its rates. */
  lines?: readonly RateLine[];
  /** Labels of the dashboard's other numbers that are made of it. */
  shown?: readonly string[];
  /** Not given: not sampled. */
  sampled?: Sampling;
  /** By further labels: such series get a place after all that `sampled` names. */
  sampledLast?: Sampling;
}

const ALL: Sampling = { by: [] };

/**
 * The metrics of the site, by name. What ends in `_total` is a counter, what `BUCKET_BOUNDS` names is a histogram, all others
 * are gauges. Where there are more series than places in the samples, those of earlier metrics get them. Of the metrics
 * library's own (`process_*`, `nodejs_*`), whose kind is not ours to choose, only those that are sampled are here.
 */
export const METRICS = {
  response_cache_requests_total: {
    help: 'Responses of pages, API reads and feeds by their Cache-Status; hit and stale: it was ready; miss: the reader waited; error: a 5xx, whatever it says',
    labels: ['result'],
    lookWhen: 'readers wait: `hit`, `stale` and `miss` as `Cache-Status` says; `error` is a 5xx',
    board: { row: 'Requests', title: 'Responses by Cache-Status', by: ['result'] },
    lines: [
      { plot: 'Responses', label: 'fresh', tone: 'good', where: { result: 'hit' } },
      { plot: 'Responses', label: 'stale', tone: 'cool', where: { result: 'stale' } },
      { plot: 'Responses', label: 'waited', tone: 'warn', where: { result: 'miss' } },
    ],
    shown: ['Hit ratio'],
    sampled: { by: ['result'] },
  },
  http_requests_total: {
    help: 'Responses by route template, method and status code',
    labels: ['route', 'method', 'status'],
    lookWhen: 'readers complain: which route, which status',
    board: { row: 'Requests', title: 'Requests/s by status', by: ['status'] },
    shown: ['Requests/s', 'Error rate', '5xx', 'Burn rate, errors'],
    sampled: { by: ['status'] },
  },
  http_refusals_total: {
    help: 'Requests that a limit refused (429), by the limit: read, write or beacon; no part of hit ratio and latency',
    labels: ['limit'],
    lookWhen: 'many `429`: which limit refuses',
    board: { row: 'Requests', title: '429 by limit', by: ['limit'] },
    lines: [{ plot: 'Responses', label: '429', tone: 'faint' }],
    sampled: { by: ['limit'] },
  },
  http_request_duration_seconds: {
    help: 'Time from the head of the request to the last byte of the response, by route template, without what a limit refused',
    labels: ['route'],
    lookWhen: 'readers complain: how slow',
    board: { row: 'Requests', title: 'Request duration', quantiles: [0.5, 0.95, 0.99] },
    shown: ['p50', 'p95', 'p99', 'Burn rate, slow'],
    sampled: { by: [], bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5] },
  },
  http_cache_miss_duration_seconds: {
    help: 'The part of http_request_duration_seconds whose readers waited (Cache-Status: fwd)',
    labels: ['route'],
    lookWhen: 'those who wait are few: their responses alone',
    board: { row: 'Requests', title: 'Request duration of misses', quantiles: [0.5, 0.95] },
  },
  upstream_requests_total: {
    help: 'Upstream requests that were sent, by operation and outcome; not-found: that is a response; else the kind of the failure',
    labels: ['operation', 'outcome'],
    lookWhen: 'the upstream fails: which operation, and how',
    board: { row: 'Upstream', title: 'Upstream requests/s by outcome', by: ['outcome'] },
    shown: ['errors', 'status', 'timeout', 'other failures'],
    // Those that succeeded are the rest of what was sent, which the durations count.
    sampled: { by: ['operation', 'outcome'], merge: { ok: null, 'not-found': null } },
  },
  upstream_refusals_total: {
    help: 'Upstream requests that were not sent, by reason: breaker-open, overloaded',
    labels: ['operation', 'reason'],
    lookWhen: 'requests that were not sent: the breaker was open, or too many waited',
    board: { row: 'Upstream', title: 'Upstream requests not sent', by: ['reason'] },
    lines: [{ plot: 'Upstream requests', label: 'not sent', tone: 'plain', where: { operation: '' } }],
    sampled: ALL,
    // In an outage that is a series for each operation.
    sampledLast: { by: ['operation'] },
  },
  upstream_dropped_items_total: {
    unit: 'items',
    help: 'Items of upstream lists that were left out, because they break a rule',
    labels: ['operation'],
    lookWhen: 'lists are shorter than upstream: items that break a rule',
    board: { row: 'Upstream', title: 'Dropped items', by: ['operation'] },
    shown: ['errors', 'first sentence'],
    sampled: { by: ['operation'] },
  },
  upstream_circuit_breaker_state: {
    help: '1 for the state in force of the circuit breaker of upstream reads',
    labels: ['state'],
    lookWhen: '`open` is 1: reads fail so often that the upstream is left alone for five seconds at a time',
    board: { row: 'Upstream', title: 'Circuit breaker', by: ['state'] },
    shown: ['first sentence', 'Events'],
    sampled: { by: ['state'], merge: { 'half-open': null, closed: null } },
  },
  upstream_content_missing: {
    help: '1 while much of what was cached is missing upstream, so that it is served as before',
    labels: [],
    lookWhen: 'pages stay that are gone upstream: much is missing there at once',
    board: { row: 'Upstream', title: 'Content missing upstream' },
    shown: ['first sentence'],
    sampled: ALL,
  },
  article_bodies_reduced_total: {
    unit: 'items',
    help: 'Bodies that were not kept whole, by reason; unstable: only the text is left, which is a fault of the site',
    labels: ['reason'],
    lookWhen: 'an article is plain text',
    board: { row: 'Articles', title: 'Articles without their markup', by: ['reason'] },
    shown: ['first sentence'],
    sampled: { by: ['reason'] },
  },
  outbox_disk_usable: {
    help: '0 while the disk of the outbox takes no messages; it is tried again twice a minute',
    labels: [],
    lookWhen: '0: form posts that the upstream does not take are refused',
    board: { row: 'Outbox', title: 'Outbox: disk', aggregate: 'min' },
    shown: ['first sentence'],
    sampled: ALL,
  },
  outbox_messages: {
    unit: 'messages',
    help: 'Messages in the outbox; rejected: kept for 30 days, until an operator retries or discards them',
    labels: ['kind', 'state'],
    lookWhen: 'submissions do not arrive; `rejected` needs a person',
    board: { row: 'Outbox', title: 'Outbox: pending and rejected', by: ['kind', 'state'] },
    shown: ['submissions pending', 'views pending', 'rejected'],
    sampled: {
      by: ['kind', 'state'],
      merge: { subscription: 'submissions', contact: 'submissions', 'opt-out': 'submissions', view: 'views' },
    },
  },
  outbox_oldest_message_age_seconds: {
    help: 'Age of the oldest pending message; 0 while none is pending',
    labels: [],
    lookWhen: 'messages wait: since when',
    board: { row: 'Outbox', title: 'Oldest message' },
    shown: ['oldest'],
    sampled: ALL,
  },
  cache_refreshes_total: {
    help: 'Background refreshes that ended, by result',
    labels: ['resource', 'result'],
    lookWhen: 'content gets old although it is read',
    board: { row: 'Cache', title: 'Refreshes/s by result', by: ['result'] },
    shown: ['first sentence'],
    sampled: { by: ['result'] },
  },
  cache_refresh_queue_length: {
    unit: 'requests',
    help: 'Background refreshes that are queued; at most 64 run at once',
    labels: [],
    lookWhen: 'the queue stays above 0: the upstream is slower than its content goes stale',
    board: { row: 'Cache', title: 'Refresh queue' },
    shown: ['first sentence'],
    sampled: ALL,
  },
  render_queue_length: {
    unit: 'renders',
    help: 'Renders that are queued, their data loaded; from 200 on, requests that need a render are shed',
    labels: [],
    lookWhen: 'new pages come faster than they are rendered; at 200 they are shed',
    board: { row: 'Process', title: 'Render queue', by: ['instance'] },
    shown: ['first sentence'],
    sampled: ALL,
  },
  event_loop_lag_seconds: {
    help: 'Event-loop lag over the last one to two minutes, the same for every scraper; nodejs_eventloop_lag_* start anew with each scrape',
    labels: ['stat'],
    lookWhen: 'every request is late; the last one to two minutes, the same for every scraper',
    board: { row: 'Process', title: 'Event-loop lag', by: ['stat'] },
    shown: ['Event-loop lag'],
    sampled: { by: ['stat'], merge: { p50: null, max: null } },
  },
  process_resident_memory_bytes: {
    help: 'Resident memory size in bytes.',
    labels: [],
    lookWhen: 'the process is short of memory, beside `nodejs_heap_size_used_bytes`',
    board: { row: 'Process', title: 'RSS', by: ['instance'] },
    shown: ['first sentence'],
    sampled: ALL,
  },
  process_start_time_seconds: {
    help: 'Start time of the process since unix epoch in seconds.',
    labels: [],
    lookWhen: 'numbers begin anew: it restarted',
    board: { row: 'Process', title: 'Uptime', by: ['instance'], aggregate: 'age' },
    shown: ['first sentence', 'Events'],
    sampled: ALL,
  },
  redis_up: {
    help: '1 while Redis is used; 0: this instance works alone',
    labels: [],
    lookWhen: '0: this instance works alone',
    board: { row: 'Process', title: 'Redis', by: ['instance'], aggregate: 'min' },
    shown: ['first sentence'],
    sampled: ALL,
  },
  cdn_purge_queue_length: {
    unit: 'entries',
    help: 'Tags waiting to be purged at the CDN',
    labels: [],
    lookWhen: 'a purge does not reach readers: what waits',
    board: { row: 'CDN', title: 'CDN purge queue', by: ['instance'] },
    shown: ['first sentence'],
    sampled: ALL,
  },
  upstream_request_duration_seconds: {
    help: 'Duration of upstream requests that were sent, by operation',
    labels: ['operation'],
    lookWhen: 'the upstream is slow: which operation',
    board: { row: 'Upstream', title: 'Upstream latency', quantiles: [0.5, 0.95] },
    shown: ['ok', 'deliveries', 'calls/min', 'p95'],
    sampled: { by: ['operation'], bounds: [0.1, 0.5, 1] },
  },
  cache_requests_total: {
    help: 'Data reads by result: those of cached pages count one for each piece of data; error: loads that failed, refreshes included, beside the result of the read',
    labels: ['resource', 'result'],
    lookWhen: 'the hit ratio falls, or a TTL was changed',
    board: { row: 'Cache', title: 'Data reads/s by result', by: ['result'] },
    shown: ['data reads/min', 'hit ratio', 'measured'],
    sampled: {
      by: ['resource', 'result'],
      merge: { hit: 'ready', stale: 'ready', miss: 'waited', coalesced: 'waited', error: null },
    },
  },
  cache_served_age_seconds_total: {
    help: 'Sum of the ages of what reads with the result hit or stale were served, since its load from the upstream',
    labels: ['resource'],
    lookWhen:
      'readers see old content: its rate, divided by that of `cache_requests_total{result=~"hit|stale"}`, is the mean age of what is served from memory',
    board: { row: 'Cache', title: 'Age served, sum', by: ['resource'] },
    shown: ['age served', 'measured'],
    sampled: { by: ['resource'] },
  },
  cache_entries: {
    unit: 'entries',
    help: 'entries of the content cache by resource, and of the response cache (resource="pages")',
    labels: ['resource'],
    lookWhen: '`CACHE_MAX_MB` may be too small',
    board: { row: 'Cache', title: 'Cache entries by resource', by: ['resource'] },
  },
  cache_size_bytes: {
    help: 'bytes of the content cache by resource, and of the response cache (resource="pages")',
    labels: ['resource'],
    lookWhen: 'against `CACHE_MAX_MB`: half is for the response cache (`pages`), half for data',
    board: { row: 'Cache', title: 'Cache size by resource', by: ['resource'] },
  },
  cache_mode_info: {
    help: '1 for the mode in force',
    labels: ['mode'],
    lookWhen: 'somebody left an emergency mode on',
    board: { row: 'Cache', title: 'Cache mode', by: ['mode'] },
  },
  cache_ttl_factor: {
    help: 'What every TTL is multiplied by',
    labels: [],
    lookWhen: 'somebody left TTLs stretched',
    board: { row: 'Cache', title: 'TTL factor' },
  },
  article_body_losses_total: {
    unit: 'items',
    help: 'Elements of bodies that became a link or were removed, by element; custom ones are `other`',
    labels: ['outcome', 'element'],
    lookWhen: 'an article lacks what its author put there',
    board: { row: 'Articles', title: 'Elements that became a link or went', by: ['outcome'] },
  },
  site_folder_valid: {
    help: '0 while the last change of the site folder has a mistake, so that the state before it is in force',
    labels: [],
    lookWhen: '0: a change of `SITE_DIR` is not in force',
    board: { row: 'Process', title: 'Site folder', by: ['instance'], aggregate: 'min' },
  },
  build_info: {
    help: '1, with what runs as labels: version of the package, revision of the source, identity of the client build',
    labels: ['version', 'revision', 'client'],
    lookWhen: 'during a deploy: who runs what',
    board: {
      row: 'Process',
      title: 'Instances by version',
      by: ['version', 'revision', 'client'],
      aggregate: 'count',
    },
  },
  outbox_deliveries_total: {
    unit: 'messages',
    help: 'Attempts to deliver a message to the upstream; failed: it is tried again',
    labels: ['kind', 'outcome'],
    lookWhen: 'messages wait although the upstream is up',
    board: { row: 'Outbox', title: 'Deliveries/s by outcome', by: ['outcome'] },
  },
  render_duration_seconds: {
    help: 'Duration of a render, without the wait for its data',
    labels: [],
    lookWhen: 'renders take long, without the wait for their data',
    board: { row: 'Process', title: 'Render duration', quantiles: [0.95] },
  },
  cdn_purges_total: {
    help: 'Purge calls to the CDN',
    labels: ['outcome'],
    lookWhen: 'a purge does not reach readers: what the CDN has taken',
    board: { row: 'CDN', title: 'CDN purges/s', by: ['outcome'] },
  },
  image_transforms_total: {
    help: 'Image transforms by format and result: ok, error, or rejected for want of capacity',
    labels: ['format', 'result'],
    lookWhen: 'pictures come late: how many are made anew',
    board: { row: 'Images', title: 'Image transforms/s', by: ['result'] },
  },
  image_transform_duration_seconds: {
    help: 'Time to decode, resize and encode a picture',
    labels: [],
    lookWhen: 'pictures come late: how long one takes',
    board: { row: 'Images', title: 'Image transform duration', quantiles: [0.5, 0.95] },
  },
  web_vitals_lcp_seconds: {
    help: 'Largest Contentful Paint, of a sample of documents',
    labels: ['route', 'device'],
    lookWhen: 'readers say the site is slow: what a tenth of their browsers measured. Good: up to 2.5 s',
    board: { row: 'Web Vitals', title: 'LCP', by: ['device'], quantiles: [0.75], window: '1h' },
  },
  web_vitals_inp_seconds: {
    help: 'Interaction to Next Paint of the whole visit, by the route of its document; a sample of documents',
    labels: ['route', 'device'],
    lookWhen: 'controls respond late. Good: up to 0.2 s',
    board: { row: 'Web Vitals', title: 'INP', by: ['device'], quantiles: [0.75], window: '1h' },
  },
  web_vitals_cls: {
    help: 'Cumulative Layout Shift of the whole visit, by the route of its document; a sample of documents whose browser measures it',
    labels: ['route', 'device'],
    lookWhen: 'pages jump. Good: up to 0.1',
    board: { row: 'Web Vitals', title: 'CLS', by: ['device'], quantiles: [0.75], window: '1h' },
  },
  web_vitals_chunk_load_errors_total: {
    help: 'Scripts that a page asked for and did not get, of a sample of documents',
    labels: ['route'],
    lookWhen: 'tabs of another build miss their files: set `ASSETS_DIR`',
    board: { row: 'Web Vitals', title: 'Chunk load errors', by: ['route'], window: '1h' },
  },
} as const satisfies Record<string, MetricDeclaration>;

export type MetricName = keyof typeof METRICS;
export type CounterName = Extract<MetricName, `${string}_total`>;
export type HistogramName = keyof typeof BUCKET_BOUNDS;
export type GaugeName = Exclude<MetricName, CounterName | HistogramName>;
/** Names of the labels of a metric. */
export type LabelsOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

/** Places of the samples. */
export const MAX_SERIES = 120;

/** Sampled metrics; of series that have changed at the same time, those of the first ones get a place. */
export const SAMPLED_METRICS: readonly (readonly [MetricName, MetricDeclaration & { sampled: Sampling }])[] =
  (['sampled', 'sampledLast'] as const).flatMap((which) =>
    declarations().flatMap(([name, { [which]: sampled, ...metric }]) =>
      sampled === undefined ? [] : [[name, { ...metric, sampled }] as const],
    ),
  );

/** Returns the name and the declaration of each metric. */
export function declarations(): [MetricName, MetricDeclaration][] {
  const names = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);
  return names.map((name) => [name, METRICS[name]]);
}

/** Returns the labels of all numbers and lines of the dashboard that are made of a metric. */
export function shownLabels({
  lines = [],
  shown = [],
}: Pick<MetricDeclaration, 'lines' | 'shown'>): string[] {
  return [...lines.map(({ label }) => label), ...shown];
}

const RESPONSE_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Bounds of the buckets of histograms, without those near the upstream timeout. */
const BUCKET_BOUNDS = {
  http_request_duration_seconds: RESPONSE_BOUNDS,
  http_cache_miss_duration_seconds: RESPONSE_BOUNDS,
  upstream_request_duration_seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5],
  render_duration_seconds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
  image_transform_duration_seconds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  // The bounds of good and poor (web.dev, Web Vitals), and some between and around.
  web_vitals_lcp_seconds: [0.5, 1, 1.5, 1.8, 2.5, 4, 6, 10],
  web_vitals_inp_seconds: [0.05, 0.1, 0.2, 0.35, 0.5, 1, 2],
  web_vitals_cls: [0.01, 0.05, 0.1, 0.25, 0.5, 1],
} as const satisfies Partial<Record<MetricName, readonly number[]>>;

/** Returns the kind of a metric: the name of a counter ends in `_total`, and a histogram has bounds. */
export function kindOf(name: MetricName): 'counter' | 'gauge' | 'histogram' {
  if (name.endsWith('_total')) return 'counter';
  return name in BUCKET_BOUNDS ? 'histogram' : 'gauge';
}

export type SampledDuration = 'http_request_duration_seconds' | 'upstream_request_duration_seconds';

/** Histograms of what the upstream timeout bounds. */
const UP_TO_TIMEOUT: readonly MetricName[] = [
  'http_request_duration_seconds',
  'http_cache_miss_duration_seconds',
  'upstream_request_duration_seconds',
];
/** Shares of the upstream timeout with a bound: what has just come in time differs from what has not. */
const TIMEOUT_SHARES = [0.9, 1, 1.1];

/** Returns the upper bounds of the buckets of a histogram, ascending. */
export function bucketBounds(name: HistogramName, upstreamTimeoutMs: number): number[] {
  const shares = UP_TO_TIMEOUT.includes(name) ? TIMEOUT_SHARES : [];
  const near = shares.map((share) => Math.round(upstreamTimeoutMs * share) / 1000);
  return [...new Set([...BUCKET_BOUNDS[name], ...near])].sort((one, other) => one - other);
}

/** Returns the bounds that samples keep of them. */
export function sampledBounds(name: SampledDuration, upstreamTimeoutMs: number): number[] {
  const kept: readonly number[] = METRICS[name].sampled.bounds;
  const last = kept.at(-1) ?? 0;
  return [...kept, ...bucketBounds(name, upstreamTimeoutMs).filter((bound) => bound > last)];
}
