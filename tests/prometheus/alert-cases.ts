/** Values of series by selector, in promtool's notation: `0+5x10` rises by 5 ten times. */
type Series = Record<string, string>;

/** What makes an alert fire, and what must not. */
export interface AlertCase {
  alert: string;
  /** Between two values. */
  interval: '1m' | '5m';
  /** When the alert is looked at. */
  at: string;
  fires: Series;
  quiet: Series;
  /** Labels of the alert besides those of its rule. */
  labels?: Record<string, string>;
}

const instance = 'a';

/** Failed, slow and unsuccessful ones of a thousand in each interval. */
const failing = (share: number, times: number): Series => ({
  'http_requests_total{status="200"}': `0+${1000 - share}x${times}`,
  'http_requests_total{status="503"}': `0+${share}x${times}`,
});
const slow = (share: number, times: number): Series => ({
  'http_request_duration_seconds_bucket{le="0.25"}': `0+${1000 - share}x${times}`,
  http_request_duration_seconds_count: `0+1000x${times}`,
});
const notRefreshed = (share: number, times: number): Series => ({
  'cache_refreshes_total{result="success"}': `0+${1000 - share}x${times}`,
  'cache_refreshes_total{result="error"}': `0+${share}x${times}`,
});

/** Of a hundred upstream requests a minute this many take a second at most. */
const slowUpstream = (fast: number, times: number): Series => ({
  'upstream_request_duration_seconds_bucket{le="1"}': `0+${fast}x${times}`,
  'upstream_request_duration_seconds_bucket{le="3"}': `0+100x${times}`,
  'upstream_request_duration_seconds_bucket{le="+Inf"}': `0+100x${times}`,
  upstream_request_duration_seconds_count: `0+100x${times}`,
});

/** More than three days of five minutes. */
const DAYS = 900;

/** A case for each alert. */
export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'SiteAbsent',
    interval: '1m',
    at: '5m',
    fires: { up: '1x10' },
    quiet: { 'upstream_circuit_breaker_state{state="closed"}': '1x10' },
  },
  {
    alert: 'InstanceDown',
    interval: '1m',
    at: '5m',
    fires: { 'up{job="site",instance="a"}': '0x10', 'up{job="site",instance="b"}': '1x10' },
    quiet: { 'up{job="site",instance="a"}': '1 0 1x10', 'up{job="grafana",instance="a"}': '0x10' },
    labels: { job: 'site', instance },
  },
  {
    alert: 'InstanceRestarts',
    interval: '1m',
    at: '9m',
    fires: { 'process_start_time_seconds{job="site",instance="a"}': '1 1 2 2 3 3 4 4 4 4' },
    quiet: { 'process_start_time_seconds{job="site",instance="a"}': '1 1 1 1 2 2 2 2 2 2' },
    labels: { job: 'site', instance },
  },
  {
    alert: 'VersionsDiffer',
    interval: '1m',
    at: '65m',
    fires: {
      'build_info{version="1.0.0",revision="a",client="c",instance="a"}': '1x80',
      'build_info{version="1.0.0",revision="b",client="c",instance="b"}': '1x80',
    },
    quiet: {
      'build_info{version="1.0.0",revision="a",client="c",instance="a"}': '1x80',
      'build_info{version="1.0.0",revision="a",client="c",instance="b"}': '1x80',
    },
  },
  {
    alert: 'AvailabilityBurnFast',
    interval: '1m',
    at: '65m',
    fires: failing(20, 80),
    quiet: failing(5, 80),
  },
  {
    // A small site: a few failed requests of a few hundred are no reason to wake somebody.
    alert: 'AvailabilityBurnFast',
    interval: '1m',
    at: '65m',
    fires: failing(20, 80),
    quiet: {
      'http_requests_total{status="200"}': '0+2x80',
      'http_requests_total{status="503"}': '0x40 0 1 2 3 4 5 6x33',
    },
  },
  {
    alert: 'AvailabilityBurnSlow',
    interval: '5m',
    at: '74h',
    fires: failing(4, DAYS),
    quiet: failing(0.9, DAYS),
  },
  { alert: 'LatencyBurnFast', interval: '1m', at: '65m', fires: slow(200, 80), quiet: slow(50, 80) },
  {
    // Six slow requests of a night are no reason to wake somebody.
    alert: 'LatencyBurnFast',
    interval: '1m',
    at: '65m',
    fires: slow(200, 80),
    quiet: {
      'http_request_duration_seconds_bucket{le="0.25"}': '0x80',
      http_request_duration_seconds_count: '0x40 0 1 2 3 4 5 6x33',
    },
  },
  { alert: 'LatencyBurnSlow', interval: '5m', at: '74h', fires: slow(40, DAYS), quiet: slow(9, DAYS) },
  {
    alert: 'FreshnessBurnFast',
    interval: '1m',
    at: '65m',
    fires: notRefreshed(200, 80),
    quiet: notRefreshed(50, 80),
  },
  {
    alert: 'FreshnessBurnSlow',
    interval: '5m',
    at: '74h',
    fires: notRefreshed(40, DAYS),
    quiet: notRefreshed(9, DAYS),
  },
  {
    alert: 'CircuitBreakerOpen',
    interval: '1m',
    at: '10m',
    fires: { 'upstream_circuit_breaker_state{state="closed",instance="a"}': '0x10' },
    quiet: { 'upstream_circuit_breaker_state{state="closed",instance="a"}': '1 1 0 1 1 0 1 1 1 1' },
    labels: { state: 'closed', instance },
  },
  {
    alert: 'ArticleBodiesUnstable',
    interval: '1m',
    at: '10m',
    fires: { 'article_bodies_reduced_total{reason="unstable"}': '0 0 0 0 1x10' },
    quiet: { 'article_bodies_reduced_total{reason="too-long"}': '0 0 0 0 1x10' },
  },
  {
    alert: 'UpstreamContentMissing',
    interval: '1m',
    at: '10m',
    fires: { 'upstream_content_missing{instance="a"}': '0 1x10' },
    quiet: { 'upstream_content_missing{instance="a"}': '0 1 0 0 1 0 0 0 0 0' },
  },
  {
    alert: 'UpstreamErrorRateHigh',
    interval: '1m',
    at: '25m',
    fires: {
      'upstream_requests_total{outcome="ok"}': '0+80x30',
      'upstream_requests_total{outcome="timeout"}': '0+20x30',
    },
    quiet: {
      'upstream_requests_total{outcome="ok"}': '0+45x30',
      'upstream_requests_total{outcome="not-found"}': '0+50x30',
      'upstream_requests_total{outcome="timeout"}': '0+5x30',
    },
  },
  {
    alert: 'UpstreamOperationFailing',
    interval: '1m',
    at: '25m',
    fires: {
      'upstream_requests_total{operation="ads",outcome="ok"}': '0+1x30',
      'upstream_requests_total{operation="ads",outcome="timeout"}': '0+2x30',
      'upstream_requests_total{operation="home",outcome="ok"}': '0+900x30',
    },
    quiet: {
      'upstream_requests_total{operation="ads",outcome="ok"}': '0+2x30',
      'upstream_requests_total{operation="ads",outcome="timeout"}': '0+1x30',
      'upstream_requests_total{operation="rare",outcome="timeout"}': '0 0 0 0 0 0 0 0 0 0 0 0 1 2 3x20',
    },
    labels: { operation: 'ads' },
  },
  {
    alert: 'UpstreamSlow',
    interval: '1m',
    at: '25m',
    fires: slowUpstream(80, 40),
    quiet: slowUpstream(98, 40),
  },
  {
    // A few slow requests in a night.
    alert: 'UpstreamSlow',
    interval: '1m',
    at: '25m',
    fires: slowUpstream(80, 40),
    quiet: {
      'upstream_request_duration_seconds_bucket{le="1"}': '0x10 1x30',
      'upstream_request_duration_seconds_bucket{le="3"}': '0x10 2 3 4x30',
      'upstream_request_duration_seconds_bucket{le="+Inf"}': '0x10 2 3 4x30',
      upstream_request_duration_seconds_count: '0x10 2 3 4x30',
    },
  },
  {
    alert: 'UpstreamItemsDropped',
    interval: '1m',
    at: '10m',
    fires: { 'upstream_dropped_items_total{operation="post.topic"}': '0x4 2x60' },
    quiet: { 'upstream_dropped_items_total{operation="post.topic"}': '2x60' },
    labels: { operation: 'post.topic' },
  },
  {
    alert: 'HitRatioLow',
    interval: '5m',
    at: '27h',
    fires: {
      'response_cache_requests_total{result="hit"}': '0+100x300 30050+50x40',
      'response_cache_requests_total{result="miss"}': '0x300 50+50x40',
    },
    quiet: {
      'response_cache_requests_total{result="hit"}': '0+100x340',
      'response_cache_requests_total{result="miss"}': '0+10x340',
    },
  },
  {
    // A 5xx was not ready.
    alert: 'HitRatioLow',
    interval: '5m',
    at: '27h',
    fires: {
      'response_cache_requests_total{result="hit"}': '0+100x300 30050+50x40',
      'response_cache_requests_total{result="error"}': '0x300 50+50x40',
    },
    quiet: { 'response_cache_requests_total{result="hit"}': '0+100x340' },
  },
  {
    alert: 'StaleRatioHigh',
    interval: '1m',
    at: '35m',
    fires: {
      'response_cache_requests_total{result="hit"}': '0+40x40',
      'response_cache_requests_total{result="stale"}': '0+60x40',
    },
    quiet: {
      'response_cache_requests_total{result="hit"}': '0+60x40',
      'response_cache_requests_total{result="stale"}': '0+40x40',
    },
  },
  {
    // One stale read a minute.
    alert: 'StaleRatioHigh',
    interval: '1m',
    at: '35m',
    fires: {
      'response_cache_requests_total{result="hit"}': '0+40x40',
      'response_cache_requests_total{result="stale"}': '0+60x40',
    },
    quiet: { 'response_cache_requests_total{result="stale"}': '0+1x40' },
  },
  {
    alert: 'RefreshQueueLong',
    interval: '1m',
    at: '8m',
    fires: { 'cache_refresh_queue_length{instance="a"}': '300x10' },
    quiet: { 'cache_refresh_queue_length{instance="a"}': '300 300 0 300 300 0 300 300 0 300' },
  },
  {
    alert: 'CacheModeLeftOn',
    interval: '1m',
    at: '35m',
    fires: {
      'cache_mode_info{mode="normal",instance="a"}': '0x40',
      'cache_ttl_factor{instance="a"}': '1x40',
    },
    quiet: {
      'cache_mode_info{mode="normal",instance="a"}': '1x40',
      'cache_mode_info{mode="freeze",instance="a"}': '0x40',
      'cache_ttl_factor{instance="a"}': '1x40',
    },
    labels: { mode: 'normal', instance },
  },
  {
    alert: 'RedisDown',
    interval: '1m',
    at: '5m',
    fires: { 'redis_up{instance="a"}': '0x10' },
    quiet: { 'redis_up{instance="a"}': '1 0 1x10' },
    labels: { instance },
  },
  {
    // A Redis that is too slow at times: it is never away for two minutes.
    alert: 'RedisDown',
    interval: '1m',
    at: '10m',
    fires: { 'redis_up{instance="a"}': '1 0 1 0 0 1 0 1 0 0 1 0' },
    quiet: { 'redis_up{instance="a"}': '1 1 1 1 0 1 1 1 1 1 1 1' },
    labels: { instance },
  },
  {
    alert: 'OutboxDiskUnusable',
    interval: '1m',
    at: '5m',
    fires: { 'outbox_disk_usable{instance="a"}': '0x10', 'outbox_disk_usable{instance="b"}': '1x10' },
    quiet: {
      'outbox_disk_usable{instance="a"}': '1 1 1 1 0 1 1x5',
      'outbox_disk_usable{instance="b"}': '1x10',
    },
    labels: { instance },
  },
  {
    alert: 'OutboxOldestMessage',
    interval: '1m',
    at: '8m',
    fires: { 'outbox_oldest_message_age_seconds{instance="a"}': '1000x10' },
    quiet: { 'outbox_oldest_message_age_seconds{instance="a"}': '600x10' },
  },
  {
    alert: 'OutboxPending',
    interval: '1m',
    at: '12m',
    fires: { 'outbox_messages{kind="view",state="pending"}': '6000x15' },
    quiet: { 'outbox_messages{kind="view",state="pending"}': '4000x15' },
  },
  {
    alert: 'OutboxRejected',
    interval: '1m',
    at: '8m',
    fires: { 'outbox_messages{kind="contact",state="rejected"}': '1x10' },
    quiet: { 'outbox_messages{kind="contact",state="rejected"}': '0x10' },
  },
  {
    alert: 'RenderQueueLong',
    interval: '1m',
    at: '15m',
    fires: { 'render_queue_length{instance="a"}': '50x20' },
    quiet: { 'render_queue_length{instance="a"}': '50 0 50 0 50 0 50 0 50 0 50 0 50 0 50 0' },
    labels: { instance },
  },
  {
    alert: 'EventLoopLagHigh',
    interval: '1m',
    at: '8m',
    fires: { 'event_loop_lag_seconds{stat="p99",instance="a"}': '0.2x10' },
    quiet: {
      'event_loop_lag_seconds{stat="p99",instance="a"}': '0.02x10',
      'event_loop_lag_seconds{stat="max",instance="a"}': '0.5x10',
    },
    labels: { instance },
  },
  {
    alert: 'MemoryHigh',
    interval: '1m',
    at: '18m',
    fires: { 'process_resident_memory_bytes{job="site",instance="a"}': '700000000x20' },
    quiet: {
      'process_resident_memory_bytes{job="site",instance="a"}': '500000000x20',
      'process_resident_memory_bytes{job="prometheus",instance="a"}': '2000000000x20',
    },
    labels: { instance },
  },
  {
    alert: 'CdnPurgesWaiting',
    interval: '1m',
    at: '8m',
    fires: { 'cdn_purge_queue_length{instance="a"}': '3x10' },
    quiet: { 'cdn_purge_queue_length{instance="a"}': '3 0 3 0 3 0 3 0 3 0' },
    labels: { instance },
  },
];

/** From the evening, in minutes: two hours of readers, eight of night in which crawlers and floods come, two of morning. */
const phases = (evening: number, night: number, morning: number) =>
  `0+${evening}x120 ${120 * evening + night}+${night}x480 ${120 * evening + 481 * night + morning}+${morning}x120`;
/** A few, scattered over the night. */
const few = '0x200 1x80 2x90 3x5 6x500';

/** A quiet night, on which nothing fires: crawlers, 404s, a flood of 429s, a slow minute, a restart, a Redis that blinks. */
export const QUIET_NIGHT: Series = {
  'up{job="site",instance="a"}': '1x300 0 1x500',
  'up{job="site",instance="b"}': '1x800',
  'process_start_time_seconds{job="site",instance="a"}': '1x300 2x500',
  'build_info{version="1.0.0",revision="a",client="c",instance="a"}': '1x800',
  'build_info{version="1.0.0",revision="a",client="c",instance="b"}': '1x800',
  'http_requests_total{status="200"}': phases(300, 2, 200),
  'http_requests_total{status="404"}': phases(5, 20, 5),
  'http_requests_total{status="429"}': phases(0, 400, 0),
  'http_requests_total{status="400"}': phases(0, 100, 0),
  'http_requests_total{status="503"}': few,
  'http_request_duration_seconds_bucket{le="0.25"}': phases(305, 8, 205),
  http_request_duration_seconds_count: phases(305, 8.1, 205),
  'cache_requests_total{result="hit"}': phases(900, 1, 600),
  'cache_requests_total{result="stale"}': phases(20, 2, 20),
  'cache_requests_total{result="miss"}': phases(5, 6, 5),
  'cache_refreshes_total{result="success"}': phases(60, 1, 60),
  'cache_refreshes_total{result="error"}': few,
  'upstream_requests_total{operation="post.postdetails",outcome="ok"}': phases(60, 2, 60),
  'upstream_requests_total{operation="post.postdetails",outcome="not-found"}': phases(1, 5, 1),
  'upstream_requests_total{operation="post.postdetails",outcome="timeout"}': few,
  'upstream_request_duration_seconds_bucket{le="1"}': phases(61, 6, 61),
  'upstream_request_duration_seconds_bucket{le="+Inf"}': phases(61, 7, 61),
  upstream_request_duration_seconds_count: phases(61, 7, 61),
  'upstream_circuit_breaker_state{state="closed",instance="a"}': '1x400 0 1x400',
  'upstream_content_missing{instance="a"}': '0x800',
  'cache_refresh_queue_length{instance="a"}': '3x800',
  'cache_mode_info{mode="normal",instance="a"}': '1x800',
  'cache_ttl_factor{instance="a"}': '1x800',
  'redis_up{instance="a"}': '1x350 0 1x450',
  'outbox_disk_usable{instance="a"}': '1x800',
  'outbox_oldest_message_age_seconds{instance="a"}': '0x300 60 120 180 0x500',
  'outbox_messages{state="pending",instance="a"}': '0x300 3 3 3 0x500',
  'outbox_messages{state="rejected",instance="a"}': '0x800',
  'render_queue_length{instance="a"}': '0x300 40 0x500',
  'event_loop_lag_seconds{stat="p99",instance="a"}': '0.02x300 0.3 0.3 0.02x500',
  'process_resident_memory_bytes{job="site",instance="a"}': '300000000x800',
  'cdn_purge_queue_length{instance="a"}': '0x300 4 2 0x500',
};
