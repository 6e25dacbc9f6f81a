import type { Registry } from '@prometheus-io/client';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { outboxStatus } from '#server/ops/outbox-status.ts';
import type { Outbox } from '#server/outbox/outbox.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { LiveMetrics, LiveResource } from '#shared/models/metrics.ts';
import { byResource } from '#shared/models/resources.ts';
import { operationsOf, pointOf, ratesOf, routesOf } from './live-metrics.ts';
import { type Counted, countedBetween, readTotals, type Totals } from './live-totals.ts';
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

type Listener = (metrics: LiveMetrics) => void;

export interface MetricsStream {
  /** Calls a listener at once, then each second until the returned function is called. */
  listen(listener: Listener): () => void;
  history: Pick<MetricsHistory, 'points' | 'hitRatios' | 'events'>;
  /** Takes a sample. Resolves with what was counted since the last one that is ten seconds old, or the oldest there is. */
  window(): Promise<Counted<Totals>>;
  close(): void;
}

const TICK_MS = 1_000;
/** Without a listener, the history alone is recorded. */
const TICKS_PER_HISTORY_POINT = 10;
/** A point covers this much time, so that one slow response is seen and a quiet second is not a gap. */
const WINDOW_MS = 10_000;
const MINUTE_MS = 60_000;

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

  /** Takes a sample. */
  async function addSample(): Promise<Totals> {
    const totals = await readTotals(registry, cache, responses, pageTemplates, clock());
    samples.push(totals);
    // One from before the last minute stays: the minute starts there.
    while ((samples[1]?.at ?? totals.at) <= totals.at - MINUTE_MS) samples.shift();
    return totals;
  }

  /** Returns what was counted since the last sample that is at least `ms` older than `after`, or the oldest there is. */
  function countedSince(ms: number, after: Totals): Counted<Totals> {
    const before = samples.findLast(({ at }) => after.at - at >= ms) ?? samples[0] ?? after;
    return countedBetween(before, after);
  }

  async function sample(isForHistory = false): Promise<LiveMetrics> {
    const totals = await addSample();
    const at = new Date(wallClock()).toISOString();
    if (isForHistory) history.add(totals, at);
    const lastMinute = countedSince(MINUTE_MS, totals);
    const { running, waiting } = cache.refreshes();
    return {
      ...pointOf(countedSince(WINDOW_MS, totals), at),
      uptimeSeconds: Math.round(process.uptime()),
      serviceLevels: history.serviceLevels(totals),
      upstreamOperations: operationsOf(lastMinute),
      routes: routesOf(lastMinute),
      circuitBreaker: totals.gauges.circuitBreaker,
      refreshes: { running, queued: waiting },
      outbox: outboxStatus(outbox),
      mode: cache.mode.current(),
      pages: { entries: responses.entries, bytes: responses.bytes },
      resources: resourcesOf(totals, lastMinute),
    };
  }

  function resourcesOf({ resources }: Totals, lastMinute: Counted<Totals>): Record<string, LiveResource> {
    const changes = cache.policies.changes();
    return byResource((resource) => ({
      ...resources[resource],
      configured: cache.policies.configured(resource),
      changed: changes[resource] !== undefined,
      lastMinute: ratesOf(lastMinute.resources[resource], lastMinute.seconds),
    }));
  }

  async function tick(): Promise<void> {
    const isHistoryDue = ticks++ % TICKS_PER_HISTORY_POINT === 0;
    if (!isHistoryDue && listeners.size === 0) return;
    const metrics = await sample(isHistoryDue);
    for (const listener of listeners) listener(metrics);
  }

  /** A failure to read metrics must not end the process. */
  const logFailure = (sampling: Promise<void>) =>
    void sampling.catch((error: unknown) => logger.warn({ err: error }, 'live metrics could not be read'));

  const timer = setInterval(() => logFailure(tick()), TICK_MS);
  timer.unref();
  logFailure(tick());

  return {
    history,
    window: async () => countedSince(WINDOW_MS, await addSample()),
    listen(listener) {
      listeners.add(listener);
      logFailure(
        sample().then((metrics) => {
          if (listeners.has(listener)) listener(metrics);
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
