import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type AlertThreshold, isAlarming } from '#shared/alert-thresholds.ts';
import type { LivePoint, Quantiles, StatusClass } from '#shared/models/metrics.ts';

/** One line of a plot. Lines differ in dash as well as in colour. */
export interface Line {
  /** Names its explanation in the section of the docs that has the plot's title. */
  label: string;
  of: (point: LivePoint) => number | null;
  /** Of the value in the legend. Default: that of the axis. */
  format?: (value: number | null) => string;
  /** Of the value in the legend. */
  isAlarming?: (value: number | null) => boolean;
}

export interface PlottedMetrics {
  title: string;
  /** Of the axis. */
  format: (value: number | null) => string;
  lines: readonly Line[];
  /** The top of the scale where it is known. */
  top?: number;
  /** The least top of the scale. Default: a hundredth. */
  leastTop?: number;
  /** The labelled values of a logarithmic scale, the ends included: one cold start would squash all else on a linear one. */
  ticks?: number[];
  /** False where the site has no such thing. */
  isShown?: (point: LivePoint) => boolean;
}

const LATENCY = { format: duration, ticks: [0.0001, 0.001, 0.01, 0.1, 1, 10] };
const above = (alert: AlertThreshold) => (value: number | null) => isAlarming(alert, value);
const RATE = { format: perSecond, leastTop: 1 };

function quantiles(of: (point: LivePoint) => Quantiles | null): Line[] {
  const line = (name: keyof Quantiles): Line => ({ label: name, of: (point) => of(point)?.[name] ?? null });
  return [line('p50'), line('p95'), line('p99')];
}

function statusClass(name: StatusClass): Line {
  return { label: name, of: ({ requests }) => requests.perSecondByClass[name] };
}

/** What readers get. */
export const SERVED: readonly PlottedMetrics[] = [
  {
    title: 'Requests/s by status',
    ...RATE,
    lines: [statusClass('2xx'), statusClass('3xx'), statusClass('4xx'), statusClass('5xx')],
  },
  {
    title: 'Error rate',
    format: percent,
    lines: [
      { label: 'requests', of: ({ requests }) => requests.errorRatio, isAlarming: above('errorRatio') },
      {
        label: 'upstream requests',
        of: ({ upstream }) => upstream.errorRatio,
        isAlarming: above('upstreamErrorRatio'),
      },
    ],
  },
  {
    title: 'Request duration',
    ...LATENCY,
    lines: quantiles(({ requests }) => requests.durationSeconds),
  },
  {
    title: 'Request duration, misses',
    ...LATENCY,
    lines: [
      ...quantiles(({ requests }) => requests.missSeconds),
      { label: 'render, p95', of: ({ render }) => render.p95Seconds },
    ],
  },
  {
    title: 'Upstream latency',
    ...LATENCY,
    lines: quantiles(({ upstream }) => upstream.durationSeconds),
  },
  {
    title: 'Requests/s and upstream requests/s',
    ...RATE,
    lines: [
      { label: 'requests', of: ({ requests }) => requests.perSecond },
      { label: 'upstream requests', of: ({ upstream }) => upstream.requestsPerSecond },
    ],
  },
  {
    title: 'Hit ratio',
    format: percent,
    top: 1,
    lines: [
      { label: 'pages', of: ({ requests }) => requests.hitRatio },
      { label: 'data', of: ({ cache }) => cache.hitRatio },
      { label: 'data, stale', of: ({ cache }) => cache.staleRatio, isAlarming: above('staleRatio') },
    ],
  },
  {
    title: 'Age served',
    format: age,
    // A second, a minute, an hour, a day.
    ticks: [1, 60, 3_600, 86_400],
    lines: [{ label: 'mean age', of: ({ cache }) => cache.meanAgeSeconds }],
  },
];

/** What the process and its services do. */
export const PROCESS: readonly PlottedMetrics[] = [
  {
    title: 'Render queue',
    format: count,
    leastTop: 10,
    lines: [
      { label: 'queued', of: ({ render }) => render.queueLength, isAlarming: above('renderQueueLength') },
    ],
  },
  {
    title: 'Event-loop lag',
    ...LATENCY,
    lines: [
      {
        label: 'p99',
        of: ({ process }) => process.eventLoopLagSeconds.p99,
        isAlarming: above('eventLoopLagSeconds'),
      },
      { label: 'max', of: ({ process }) => process.eventLoopLagSeconds.max },
    ],
  },
  {
    title: 'CPU',
    format: percent,
    lines: [{ label: 'of one core', of: ({ process }) => process.cpuShare }],
  },
  {
    title: 'Memory',
    format: bytes,
    lines: [
      { label: 'RSS', of: ({ process }) => process.residentBytes, isAlarming: above('residentBytes') },
      { label: 'heap', of: ({ process }) => process.heapBytes },
    ],
  },
  {
    title: 'Redis',
    format: (value) => ['no', 'yes'][value ?? 2] ?? '',
    top: 1,
    isShown: ({ isRedisUp }) => isRedisUp !== null,
    lines: [
      {
        label: 'used',
        of: ({ isRedisUp }) => (isRedisUp === null ? null : Number(isRedisUp)),
        // Alert RedisDown.
        isAlarming: (value) => value === 0,
      },
    ],
  },
  {
    title: 'CDN purges',
    format: count,
    leastTop: 10,
    isShown: ({ cdn }) => cdn !== null,
    lines: [
      { label: 'calls', of: ({ cdn }) => cdn?.purgesPerSecond ?? null, format: perSecond },
      { label: 'failed', of: ({ cdn }) => cdn?.errorsPerSecond ?? null, format: perSecond },
      { label: 'queue', of: ({ cdn }) => cdn?.queueLength ?? null },
    ],
  },
  {
    title: 'Image transforms',
    ...RATE,
    lines: [
      { label: 'transforms', of: ({ images }) => images.perSecond },
      { label: 'failed', of: ({ images }) => images.errorsPerSecond },
    ],
  },
];
