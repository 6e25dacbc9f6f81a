import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { RESOURCES } from '#server/cache/resources.ts';
import { type EventLoopDelay, type Windowed, watchDelay } from '#server/ops/metrics/event-loop-delay.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';
import type { LiveMetrics, LivePoint, LiveResource } from '#shared/models/metrics.ts';
import { minuteBetween, pointBetween } from './live-metrics.ts';
import { readTotals, type Totals } from './live-totals.ts';

export interface MetricsStreamDeps {
  registry: Registry;
  cache: ContentCache;
  responses: Pick<ResponseCache<ResponseExtra>, 'entries' | 'bytes' | 'counts'>;
  outbox: Pick<Outbox, 'depth'>;
  logger: { warn(fields: object, message: string): void };
  /** Monotonic milliseconds. */
  clock: () => number;
  wallClock: () => number;
}

/** Somebody who looks on. */
export interface Listener {
  /** What was plotted before they came, oldest first. */
  history(points: readonly LivePoint[]): void;
  figures(figures: LiveMetrics): void;
}

/** Figures of the site as they change. */
export interface MetricsStream {
  /** The history at once, then figures each second until the answer is called. */
  listen(listener: Listener): () => void;
  close(): void;
}

const EVERY_MS = 1_000;
/** While nobody looks on, for the history alone. */
const QUIET_TICKS = 10;
/** What is plotted covers this much time, so that one slow answer is seen and a quiet second is not a gap. */
const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;
const HISTORY_POINTS = 180;
/** Two looks long: each delay is seen by one of them. */
const DELAY_WINDOW_MS = 2 * EVERY_MS;

/** Looks at the site each second while somebody listens, and every ten seconds for half an hour's history. */
export function createMetricsStream({
  registry,
  cache,
  responses,
  outbox,
  logger,
  clock,
  wallClock,
}: MetricsStreamDeps): MetricsStream {
  const listeners = new Set<Listener>();
  const seen: Totals[] = [];
  const history: LivePoint[] = [];
  let delay: Windowed<EventLoopDelay> | null = null;
  let ticks = 0;

  /** The last look that is at least `ms` old, or the oldest there is. */
  function lookBefore(ms: number): Totals | undefined {
    const now = clock();
    return seen.findLast(({ at }) => now - at >= ms) ?? seen[0];
  }

  function remember(totals: Totals): void {
    seen.push(totals);
    // One from before the last minute stays: it is where the minute starts.
    while ((seen[1]?.at ?? totals.at) <= totals.at - MINUTE_MS) seen.shift();
  }

  async function look(): Promise<LiveMetrics> {
    const totals = await readTotals(registry, cache, responses, clock());
    const point = pointBetween(lookBefore(WINDOW_MS) ?? totals, totals, new Date(wallClock()).toISOString());
    const minute = lookBefore(MINUTE_MS) ?? totals;
    const last = seen.at(-1) ?? totals;
    remember(totals);
    return {
      ...point,
      uptimeSeconds: Math.round(process.uptime()),
      breaker: await breakerState(registry),
      queues: queues(),
      process: processFigures(last, totals),
      mode: cache.mode.current(),
      pages: { entries: responses.entries, bytes: responses.bytes },
      resources: resourcesBetween(minute, totals),
    };
  }

  function queues(): LiveMetrics['queues'] {
    const { running, waiting } = cache.refreshes();
    return { refreshesRunning: running, refreshesWaiting: waiting, ...outbox.depth() };
  }

  function processFigures(before: Totals, after: Totals): LiveMetrics['process'] {
    return {
      eventLoopLagSeconds: delay?.value() ?? { p50: 0, p99: 0, max: 0 },
      cpuShare:
        after.at > before.at
          ? ((after.cpuSeconds - before.cpuSeconds) * 1000) / (after.at - before.at)
          : null,
      residentBytes: process.memoryUsage.rss(),
      heapUsedBytes: process.memoryUsage().heapUsed,
    };
  }

  function resourcesBetween(before: Totals, after: Totals): Record<string, LiveResource> {
    const seconds = (after.at - before.at) / 1000;
    const changes = cache.policies.changes();
    const rows = RESOURCES.map((resource): [string, LiveResource] => [
      resource,
      {
        ...after.resources[resource],
        configured: cache.policies.configured(resource),
        changed: changes[resource] !== undefined,
        minute: minuteBetween(before.resources[resource], after.resources[resource], seconds),
      },
    ]);
    return Object.fromEntries(rows);
  }

  function keep({ at, readers, data, upstream }: LiveMetrics): void {
    history.push({ at, readers, data, upstream });
    if (history.length > HISTORY_POINTS) history.shift();
  }

  function stopWatching(): void {
    delay?.close();
    delay = null;
  }

  async function tick(): Promise<void> {
    const due = ticks++ % QUIET_TICKS === 0;
    if (!due && listeners.size === 0) return;
    const figures = await look();
    if (due) keep(figures);
    for (const listener of listeners) listener.figures(figures);
  }

  /** Figures that could not be had must not end the process they are about. */
  const quietly = (looking: Promise<void>) =>
    void looking.catch((error: unknown) => logger.warn({ err: error }, 'live figures could not be read'));

  const timer = setInterval(() => quietly(tick()), EVERY_MS);
  timer.unref();
  quietly(tick());

  return {
    listen(listener) {
      listener.history(history);
      listeners.add(listener);
      delay ??= watchDelay(DELAY_WINDOW_MS);
      quietly(
        look().then((figures) => {
          if (listeners.has(listener)) listener.figures(figures);
        }),
      );
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
    close() {
      clearInterval(timer);
      stopWatching();
      listeners.clear();
    },
  };
}

async function breakerState(registry: Registry): Promise<LiveMetrics['breaker']> {
  const states = (await registry.getSingleMetric('upstream_breaker')?.get())?.values ?? [];
  const name = states.find(({ value }) => value === 1)?.labels['state'];
  return name === 'open' || name === 'half-open' ? name : 'closed';
}
