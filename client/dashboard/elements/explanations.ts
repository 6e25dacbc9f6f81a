/** What a number means, and the Prometheus metric it comes from; empty where there is none. */
export interface Explanation {
  text: string;
  metric: string;
}

/** Shown in the line at the foot of the page, and read by a screen reader as the description of the number. */
export const EXPLANATIONS = {
  availability: {
    text: 'Share of all responses without a 5xx status, over the last day or since the start. Budget left: of the failures that the objective allows over the same time.',
    metric: 'http_requests_total',
  },
  latencyLevel: {
    text: 'Share of all requests within a quarter of a second, over the last day or since the start. Budget left: of the slow requests that the objective allows over the same time.',
    metric: 'http_request_duration_seconds',
  },
  fromCache: {
    text: 'Share of pages, API calls and feeds that were served from the response cache or coalesced with another request, over the last day or since the start.',
    metric: '',
  },
  missP95: {
    text: '95 % of the requests for pages and of the API that the front cache did not serve took at most this long, over the last day or since the start.',
    metric: 'http_cache_miss_duration_seconds',
  },
  freshness: {
    text: 'Share of background refreshes that succeeded, over the last day or since the start: a failed one makes what is served older than it should be.',
    metric: 'cache_refreshes_total',
  },
  operationRequests: {
    text: 'Requests of this operation a minute, over the last minute.',
    metric: 'upstream_requests_total',
  },
  operationErrors: {
    text: 'Share of them without a usable response: network error, timeout, a status outside 2xx, an invalid body.',
    metric: 'upstream_requests_total',
  },
  operationLatency: {
    text: '95 % of the requests of this operation in the last minute took at most this long.',
    metric: 'upstream_request_duration_seconds',
  },
  pageHitRatio: {
    text: 'Share of pages, API calls and feeds of the last ten seconds that were served from the response cache or coalesced with another request.',
    metric: '',
  },
  requests: {
    text: 'Requests for pages and of the API a second, over the last ten seconds. Assets and health checks are left out.',
    metric: 'http_requests_total',
  },
  errorRate: {
    text: 'Share of these requests whose response had a 5xx status, over the last ten seconds.',
    metric: 'http_requests_total',
  },
  p50: {
    text: 'Half of the requests of the last ten seconds took at most this long, to the last byte. As fine as the buckets of the histogram.',
    metric: 'http_request_duration_seconds',
  },
  p95: {
    text: '95 % of the requests of the last ten seconds took at most this long, to the last byte. As fine as the buckets of the histogram.',
    metric: 'http_request_duration_seconds',
  },
  p99: {
    text: '99 % of the requests of the last ten seconds took at most this long, to the last byte. As fine as the buckets of the histogram.',
    metric: 'http_request_duration_seconds',
  },
  cacheHitRatio: {
    text: 'Share of the reads of the content cache in the last ten seconds that were served from memory, fresh or stale.',
    metric: 'cache_requests_total',
  },
  staleRatio: {
    text: 'Share of the reads of the content cache in the last ten seconds that were served stale while a background refresh ran.',
    metric: 'cache_requests_total',
  },
  refreshes: {
    text: 'Background refreshes that run now, at most 64.',
    metric: 'cache_refreshes_total',
  },
  refreshQueue: {
    text: 'Background refreshes that are queued. A queue that does not empty means that the upstream is slower than its data goes stale: lengthen TTLs.',
    metric: 'cache_refresh_queue_length',
  },
  upstreamLatency: {
    text: '95 % of the upstream requests of the last ten seconds took at most this long.',
    metric: 'upstream_request_duration_seconds',
  },
  upstreamRequests: {
    text: 'Upstream requests a second, over the last ten seconds: what the cache lets through.',
    metric: 'upstream_requests_total',
  },
  upstreamErrorRate: {
    text: 'Share of upstream requests in the last ten seconds without a usable response: network error, timeout, a status outside 2xx, an invalid body.',
    metric: 'upstream_requests_total',
  },
  circuitBreaker: {
    text: 'Closed: requests go to the upstream. Open: half of the last ones failed, so that none goes for five seconds, and cached data is served. Half-open: one request probes the upstream.',
    metric: 'upstream_circuit_breaker_state',
  },
  outboxPending: {
    text: 'Form submissions and view counts that are not delivered to the upstream yet.',
    metric: 'outbox_messages',
  },
  oldestMessage: {
    text: 'Age of the oldest pending message. Minutes mean that the upstream takes nothing.',
    metric: 'outbox_oldest_message_age_seconds',
  },
  outboxRejected: {
    text: 'Messages that the upstream rejected. They are kept until an operator retries them: see Outbox.',
    metric: 'outbox_messages',
  },
  renderQueue: {
    text: 'Renders that are queued, their data loaded. From 200 on, requests that need a render get a 503.',
    metric: 'render_queue_length',
  },
  eventLoopLag: {
    text: 'How late the event loop ran in the last seconds, 99 times of 100. Tens of milliseconds delay every request.',
    metric: 'event_loop_lag_seconds',
  },
  cpu: {
    text: 'CPU time of this process in the last second. 100 % is one core, which is all that the event loop can use.',
    metric: 'process_cpu_seconds_total',
  },
  rss: {
    text: 'Resident set size: the memory that the operating system holds for this process. The cache is part of it.',
    metric: 'process_resident_memory_bytes',
  },
  uptime: {
    text: 'How long this process has run. Counts start with it; the cache is restored from its snapshot.',
    metric: 'process_start_time_seconds',
  },
  resource: {
    text: 'A kind of cached data, by the name that purges and configuration use. Opens its policy.',
    metric: '',
  },
  ttl: {
    text: 'Time to live: served fresh for this long. An arrow marks a value that differs from the configured one.',
    metric: '',
  },
  swr: {
    text: 'stale-while-revalidate: after the TTL, served stale for this long while one background refresh runs.',
    metric: '',
  },
  sie: {
    text: 'stale-if-error: after that, served stale for this long only while the refresh fails. It bridges an outage.',
    metric: '',
  },
  entries: { text: 'Upstream responses in memory.', metric: 'cache_entries' },
  size: { text: 'Memory that the entries take, estimated.', metric: 'cache_size_bytes' },
  hitRatio: {
    text: 'Share of the reads of this resource in the last minute that were served from memory, fresh or stale.',
    metric: 'cache_requests_total',
  },
  resourceStaleRatio: {
    text: 'Share of the reads of this resource in the last minute that were served stale.',
    metric: 'cache_requests_total',
  },
  reads: {
    text: 'Reads of this resource a minute, over the last minute.',
    metric: 'cache_requests_total',
  },
  loads: {
    text: 'Upstream requests a minute for this resource: loads and refreshes, over the last minute.',
    metric: 'cache_requests_total',
  },
  loadErrors: {
    text: 'Loads and refreshes of this resource that failed in the last minute.',
    metric: 'cache_requests_total',
  },
  simulatedHitRatio: {
    text: 'Share of the recorded reads that would not have waited for the upstream with this TTL.',
    metric: '',
  },
  simulatedFresh: {
    text: 'Share of the recorded reads that would have found a fresh entry. The other hits would have been stale.',
    metric: '',
  },
  simulatedUpstream: { text: 'Upstream requests a minute that this TTL would have cost.', metric: '' },
  simulatedAge: { text: 'Mean age of what readers would have been served.', metric: '' },
  simulatedOutdated: {
    text: 'Share of the recorded reads that would have got a value which the upstream had already replaced.',
    metric: '',
  },
  advisedTtl: { text: 'The TTL in force, and the one that serves the goal best.', metric: '' },
  dependencyAge: { text: 'Since it was loaded from the upstream.', metric: '' },
  refreshDue: {
    text: 'When the next read starts a refresh. What nobody reads is not refreshed.',
    metric: '',
  },
  messageAge: { text: 'Since the message was accepted.', metric: '' },
  attempts: { text: 'How often it was sent to the upstream.', metric: 'outbox_deliveries_total' },
  documents: {
    text: 'Documents that were measured, one of ten, and have been left since the start.',
    metric: 'web_vitals_cls',
  },
  lcp: {
    text: 'Largest Contentful Paint: 75 % of documents had it by then. Up to 2.5 s is good, past 4 s poor.',
    metric: 'web_vitals_lcp_seconds',
  },
  inp: {
    text: 'Interaction to Next Paint: 75 % of documents took at most this long. Up to 200 ms is good, past 500 ms poor.',
    metric: 'web_vitals_inp_seconds',
  },
  cls: {
    text: 'Cumulative Layout Shift: 75 % of documents had at most this. Up to 0.1 is good, past 0.25 poor.',
    metric: 'web_vitals_cls',
  },
  chunkLoadErrors: {
    text: 'Scripts that measured documents asked for and did not get. After a deploy they mean that ASSETS_DIR has lost the previous assets.',
    metric: 'web_vitals_chunk_load_errors_total',
  },
} as const satisfies Record<string, Explanation>;

export type ExplanationName = keyof typeof EXPLANATIONS;

/** Returns the id of the hidden element that holds an explanation. */
export function explanationId(name: ExplanationName): string {
  return `explains-${name}`;
}

/** Returns the explanation in the `data-explains` of an element or its nearest ancestor. */
export function explanationOf(target: EventTarget | null): ExplanationName | null {
  if (!(target instanceof Element)) return null;
  const name = target.closest<HTMLElement>('[data-explains]')?.dataset['explains'] ?? '';
  return isExplanation(name) ? name : null;
}

function isExplanation(name: string): name is ExplanationName {
  return Object.hasOwn(EXPLANATIONS, name);
}
