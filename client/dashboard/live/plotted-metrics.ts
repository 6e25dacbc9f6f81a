import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type AlertThreshold, isAlarming } from '#shared/alert-thresholds.ts';
import type { LivePoint, Quantiles } from '#shared/models/metrics.ts';

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
const RATE = { format: perSecond, leastTop: 1 };

/** A line whose value is alarming above the threshold of an alert, if one is given. */
function line(label: string, of: Line['of'], alert?: AlertThreshold): Line {
  return { label, of, ...(alert && { isAlarming: (value) => isAlarming(alert, value) }) };
}

function quantiles(of: (point: LivePoint) => Quantiles | null): Line[] {
  return (['p50', 'p95', 'p99'] as const).map((name) => line(name, (point) => of(point)?.[name] ?? null));
}

/** What readers get. */
export const SERVED: readonly PlottedMetrics[] = [
  {
    title: 'Requests/s by status',
    ...RATE,
    lines: (['2xx', '3xx', '4xx', '5xx'] as const).map((name) =>
      line(name, ({ requests }) => requests.perSecondByClass[name]),
    ),
  },
  {
    title: 'Error rate',
    format: percent,
    lines: [
      line('requests', ({ requests }) => requests.errorRatio, 'errorRatio'),
      line('upstream requests', ({ upstream }) => upstream.errorRatio, 'upstreamErrorRatio'),
    ],
  },
  { title: 'Request duration', ...LATENCY, lines: quantiles(({ requests }) => requests.durationSeconds) },
  {
    title: 'Request duration, misses',
    ...LATENCY,
    lines: [
      ...quantiles(({ requests }) => requests.missSeconds),
      line('render, p95', ({ render }) => render.p95Seconds),
    ],
  },
  { title: 'Upstream latency', ...LATENCY, lines: quantiles(({ upstream }) => upstream.durationSeconds) },
  {
    title: 'Requests/s and upstream requests/s',
    ...RATE,
    lines: [
      line('requests', ({ requests }) => requests.perSecond),
      line('upstream requests', ({ upstream }) => upstream.requestsPerSecond),
    ],
  },
  {
    title: 'Hit ratio',
    format: percent,
    top: 1,
    lines: [
      line('pages', ({ requests }) => requests.hitRatio),
      line('data', ({ cache }) => cache.hitRatio),
      line('data, stale', ({ cache }) => cache.staleRatio, 'staleRatio'),
    ],
  },
  {
    title: 'Age served',
    format: age,
    // A second, a minute, an hour, a day.
    ticks: [1, 60, 3_600, 86_400],
    lines: [line('mean age', ({ cache }) => cache.meanAgeSeconds)],
  },
];

/** What the process and its services do. */
export const PROCESS: readonly PlottedMetrics[] = [
  {
    title: 'Render queue',
    format: count,
    leastTop: 10,
    lines: [line('queued', ({ render }) => render.queueLength, 'renderQueueLength')],
  },
  {
    title: 'Event-loop lag',
    ...LATENCY,
    lines: [
      line('p99', ({ process }) => process.eventLoopLagSeconds.p99, 'eventLoopLagSeconds'),
      line('max', ({ process }) => process.eventLoopLagSeconds.max),
    ],
  },
  { title: 'CPU', format: percent, lines: [line('of one core', ({ process }) => process.cpuShare)] },
  {
    title: 'Memory',
    format: bytes,
    lines: [
      line('RSS', ({ process }) => process.residentBytes, 'residentBytes'),
      line('heap', ({ process }) => process.heapBytes),
    ],
  },
  {
    title: 'Redis',
    format: (value) => ['no', 'yes'][value ?? 2] ?? '',
    top: 1,
    isShown: ({ isRedisUp }) => isRedisUp !== null,
    lines: [
      {
        ...line('used', ({ isRedisUp }) => (isRedisUp === null ? null : Number(isRedisUp))),
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
      { ...line('calls', ({ cdn }) => cdn?.purgesPerSecond ?? null), format: perSecond },
      { ...line('failed', ({ cdn }) => cdn?.errorsPerSecond ?? null), format: perSecond },
      line('queue', ({ cdn }) => cdn?.queueLength ?? null),
    ],
  },
  {
    title: 'Image transforms',
    ...RATE,
    lines: [
      line('transforms', ({ images }) => images.perSecond),
      line('failed', ({ images }) => images.errorsPerSecond),
    ],
  },
];
