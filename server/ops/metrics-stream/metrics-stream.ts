import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { outboxStatus } from '#server/ops/outbox-status.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { LiveMetrics, LivePoint, LiveResource } from '#shared/models/metrics.ts';
import { RESOURCES } from '#shared/models/resources.ts';
import { operationsBetween, pointBetween, ratesBetween, routesBetween } from './live-metrics.ts';
import { readTotals, samplesOf, type Totals } from './live-totals.ts';
import { createMetricsHistory, type MetricsHistory } from './metrics-history.ts';

export interface MetricsStreamDeps {
  registry: Registry;
  cache: ContentCache;
  responses: Pick<ResponseCache<ResponseExtra>, 'entries' | 'bytes' | 'counts'>;
  outbox: Pick<Outbox, 'depth'>;
  pageTemplates: Pick<PageTemplates, 'hasTemplate'>;
  /** What runs. */
  version: string;
  logger: { warn(fields: object, message: string): void };
  /** Monotonic milliseconds. */
  clock: () => number;
  wallClock: () => number;
}

/** A subscriber of the stream. */
export interface Listener {
  /** Called once, with the points before it subscribed, oldest first. */
  history(points: readonly LivePoint[]): void;
  metrics(metrics: LiveMetrics): void;
}

export interface MetricsStream {
  /** Sends the history at once, then metrics each second until the returned function is called. */
  listen(listener: Listener): () => void;
  history: Pick<MetricsHistory, 'points' | 'hitRatios' | 'events'>;
  /** Takes a sample. Resolves with it and with the last one that is ten seconds old, or the oldest there is. */
  window(): Promise<{ before: Totals; after: Totals }>;
  close(): void;
}

const TICK_MS = 1_000;
/** Without a listener, the history alone is recorded. */
const TICKS_PER_HISTORY_POINT = 10;
/** A point covers this much time, so that one slow response is seen and a quiet second is not a gap. */
const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;
const HALF_HOUR_MINUTES = 30;

/** Samples the site each second while somebody listens, and every ten seconds for the history. */
export function createMetricsStream({
  registry,
  cache,
  responses,
  outbox,
  pageTemplates,
  version,
  logger,
  clock,
  wallClock,
}: MetricsStreamDeps): MetricsStream {
  const listeners = new Set<Listener>();
  const samples: Totals[] = [];
  const history = createMetricsHistory(version);
  let ticks = 0;

  /** Returns the last sample that is at least `ms` old, or the oldest there is. */
  function sampleBefore(ms: number): Totals | undefined {
    const now = clock();
    return samples.findLast(({ at }) => now - at >= ms) ?? samples[0];
  }

  function addSample(totals: Totals): void {
    samples.push(totals);
    // One from before the last minute stays: the minute starts there.
    while ((samples[1]?.at ?? totals.at) <= totals.at - MINUTE_MS) samples.shift();
  }

  const totalsNow = () => readTotals(registry, cache, responses, pageTemplates, clock());

  async function sample(isForHistory = false): Promise<LiveMetrics> {
    const totals = await totalsNow();
    const at = new Date(wallClock()).toISOString();
    const point = pointBetween(sampleBefore(WINDOW_MS) ?? totals, totals, at);
    const minuteAgo = sampleBefore(MINUTE_MS) ?? totals;
    addSample(totals);
    if (isForHistory) history.add(totals, at);
    const { running, waiting } = cache.refreshes();
    return {
      ...point,
      uptimeSeconds: Math.round(process.uptime()),
      serviceLevels: history.serviceLevels(totals),
      upstreamOperations: operationsBetween(minuteAgo, totals),
      routes: routesBetween(minuteAgo, totals),
      circuitBreaker: await breakerState(registry),
      refreshes: { running, queued: waiting },
      outbox: outboxStatus(outbox),
      mode: cache.mode.current(),
      pages: { entries: responses.entries, bytes: responses.bytes },
      resources: resourcesBetween(minuteAgo, totals),
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
        lastMinute: ratesBetween(before.resources[resource], after.resources[resource], seconds),
      },
    ]);
    return Object.fromEntries(rows);
  }

  async function tick(): Promise<void> {
    const isHistoryDue = ticks++ % TICKS_PER_HISTORY_POINT === 0;
    if (!isHistoryDue && listeners.size === 0) return;
    const metrics = await sample(isHistoryDue);
    for (const listener of listeners) listener.metrics(metrics);
  }

  /** A failure to read metrics must not end the process. */
  const logFailure = (sampling: Promise<void>) =>
    void sampling.catch((error: unknown) => logger.warn({ err: error }, 'live metrics could not be read'));

  const timer = setInterval(() => logFailure(tick()), TICK_MS);
  timer.unref();
  logFailure(tick());

  return {
    history,
    async window() {
      const after = await totalsNow();
      const before = sampleBefore(WINDOW_MS) ?? after;
      addSample(after);
      return { before, after };
    },
    listen(listener) {
      listener.history(history.points(HALF_HOUR_MINUTES));
      listeners.add(listener);
      logFailure(
        sample().then((metrics) => {
          if (listeners.has(listener)) listener.metrics(metrics);
        }),
      );
      return () => listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      listeners.clear();
    },
  };
}

async function breakerState(registry: Registry): Promise<LiveMetrics['circuitBreaker']> {
  const states = await samplesOf(registry, 'upstream_circuit_breaker_state');
  const name = states.find(({ value }) => value === 1)?.labels['state'];
  return name === 'open' || name === 'half-open' ? name : 'closed';
}
