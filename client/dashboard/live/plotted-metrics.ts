import { age, bytes, count, duration, percent, perSecond } from '#client/dashboard/elements/format.ts';
import { type NumericMetric, numeric } from '#client/dashboard/elements/metrics.tsx';
import type { LivePoint, Quantiles } from '#shared/models/metrics.ts';

interface Scale {
  /** Of the axis. */
  format: (value: number | null) => string;
  /** The top of the scale where it is known. */
  top?: number;
  /** The least top of the scale. Default: a hundredth. */
  leastTop?: number;
  /** The labelled values of a logarithmic scale, the ends included: one cold start would squash all else on a linear one. */
  ticks?: number[];
}

export interface PlottedMetrics {
  /** The heading of the section of the docs that explains the lines. */
  title: string;
  scale: Scale;
  /** They differ in dash as well as in colour. */
  lines: readonly NumericMetric<LivePoint>[];
  /** False where the site has no such thing. */
  isShown?: (point: LivePoint) => boolean;
}

const LATENCY = { format: duration, ticks: [0.0001, 0.001, 0.01, 0.1, 1, 10] };
const RATE = { format: perSecond, leastTop: 1 };
const QUEUE = { format: count, leastTop: 10 };
/** A second, a minute, an hour, a day. */
const AGE = { format: age, ticks: [1, 60, 3_600, 86_400] };

const plot = (title: string, scale: Scale, lines: PlottedMetrics['lines']) => ({ title, scale, lines });

function quantiles(of: (point: LivePoint) => Quantiles | null): NumericMetric<LivePoint>[] {
  const names = ['p50', 'p95', 'p99'] as const;
  return names.map((name) => numeric(name, (point: LivePoint) => of(point)?.[name] ?? null, duration));
}

const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** What readers get. */
export const SERVED: readonly PlottedMetrics[] = [
  plot(
    'Requests/s by status',
    RATE,
    CLASSES.map((name) => numeric(name, ({ requests }) => requests.perSecondByClass[name], perSecond)),
  ),
  plot('Error rate', { format: percent }, [
    numeric('requests', ({ requests }) => requests.errorRatio, percent, 'AvailabilityBurnFast'),
    numeric('upstream requests', ({ upstream }) => upstream.errorRatio, percent, 'UpstreamErrorRateHigh'),
  ]),
  plot(
    'Request duration',
    LATENCY,
    quantiles(({ requests }) => requests.durationSeconds),
  ),
  plot('Request duration, misses', LATENCY, [
    ...quantiles(({ requests }) => requests.missSeconds),
    numeric('render, p95', ({ render }) => render.p95Seconds, duration),
  ]),
  plot(
    'Upstream latency',
    LATENCY,
    quantiles(({ upstream }) => upstream.durationSeconds),
  ),
  plot('Requests/s and upstream requests/s', RATE, [
    numeric('requests', ({ requests }) => requests.perSecond, perSecond),
    numeric('upstream requests', ({ upstream }) => upstream.requestsPerSecond, perSecond),
  ]),
  plot('Hit ratio', { format: percent, top: 1 }, [
    numeric('pages', ({ requests }) => requests.hitRatio, percent),
    numeric('data', ({ cache }) => cache.hitRatio, percent),
    numeric('data, stale', ({ cache }) => cache.staleRatio, percent, 'StaleRatioHigh'),
  ]),
  plot('Age served', AGE, [numeric('mean age', ({ cache }) => cache.meanAgeSeconds, age)]),
];

/** Whether the CDN has taken the purges. */
export const CDN_PURGES: PlottedMetrics = {
  title: 'CDN purges',
  scale: QUEUE,
  isShown: ({ cdn }) => cdn !== null,
  lines: [
    numeric('calls', ({ cdn }) => cdn?.purgesPerSecond ?? null, perSecond),
    numeric('failed', ({ cdn }) => cdn?.errorsPerSecond ?? null, perSecond),
    numeric('queue', ({ cdn }) => cdn?.queueLength ?? null, count),
  ],
};

const yesOrNo = (value: number | null) => ['no', 'yes'][value ?? 2] ?? '';

const REDIS: PlottedMetrics = {
  title: 'Redis',
  scale: { format: yesOrNo, top: 1 },
  isShown: ({ isRedisUp }) => isRedisUp !== null,
  lines: [
    {
      ...numeric('used', ({ isRedisUp }) => (isRedisUp === null ? null : Number(isRedisUp)), yesOrNo),
      // Alert RedisDown.
      isAlarming: ({ isRedisUp }) => isRedisUp === false,
    },
  ],
};

/** What the process and its services do. */
export const PROCESS: readonly PlottedMetrics[] = [
  plot('Render queue', QUEUE, [
    numeric('queued', ({ render }) => render.queueLength, count, 'RenderQueueLong'),
  ]),
  plot('Event-loop lag', LATENCY, [
    numeric('p99', ({ process }) => process.eventLoopLagSeconds.p99, duration, 'EventLoopLagHigh'),
    numeric('max', ({ process }) => process.eventLoopLagSeconds.max, duration),
  ]),
  plot('CPU', { format: percent }, [numeric('of one core', ({ process }) => process.cpuShare, percent)]),
  plot('Memory', { format: bytes }, [
    numeric('RSS', ({ process }) => process.residentBytes, bytes, 'MemoryHigh'),
    numeric('heap', ({ process }) => process.heapBytes, bytes),
  ]),
  REDIS,
  CDN_PURGES,
  plot('Image transforms', RATE, [
    numeric('transforms', ({ images }) => images.perSecond, perSecond),
    numeric('failed', ({ images }) => images.errorsPerSecond, perSecond),
  ]),
];
