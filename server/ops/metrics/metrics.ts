import { Registry } from '@prometheus-io/client';
import type { CallRecord } from '#server/cms/client/cms-client.ts';
import type { BodyLoss } from '#server/cms/cms-api.ts';
import type { LeftOutReport } from '#server/cms/parse-list.ts';
import type { OnResponse } from '#server/http/on-response.ts';
import type { TransformRecord } from '#server/images/image-service.ts';
import type { MessageState, OutboxKind } from '#server/outbox/message.ts';
import { bucketBounds, type DurationMetric } from '#shared/metric-table.ts';
import type { LastFailures } from '#shared/models/metrics.ts';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { declareCounter, declareHistogram, declareReading } from './declared-metrics.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import { createImageMetrics } from './image-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { createWebVitalsMetrics } from './web-vitals-metrics.ts';

/** Metrics that are counted as things happen. Those that can be read at scrape time are in `gauges.ts`. */
export interface Metrics {
  /** The site's own metrics: several sites in one process do not count for each other. */
  registry: Registry;
  /** That of the site, and that of its process. */
  registries: readonly Registry[];
  /** Returns the Prometheus text of the site's metrics and of its process. */
  text(): Promise<string>;
  /** Counts a response by its route's template: nothing that a reader types becomes a label. */
  observeResponse: OnResponse;
  observeCall(record: CallRecord): void;
  /** Counts items of upstream lists that were left out. */
  observeDroppedItems(left: LeftOutReport): void;
  /** Returns the last failure of each upstream operation, by operation. */
  lastFailures(): LastFailures;
  /** `state`: the one that the attempt left the message in. */
  observeDelivery(kind: OutboxKind, state: MessageState): void;
  /** `ms`: how long the render took, without the wait for its data. */
  observeRender(ms: number): void;
  /** What a reader's browser measured on one document. */
  observeWebVitals(sample: WebVitals): void;
  observeTransform: (record: TransformRecord) => void;
  /** What of a body became a link or went. */
  observeLosses(losses: readonly BodyLoss[]): void;
  /** Why a body was not kept whole. */
  observeReducedBody(reason: string): void;
  close(): void;
}

const RENDER_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];
/** Prometheus scrapes once a minute unless told otherwise: it sees each delay at least once. */
const DELAY_WINDOW_MS = 60_000;

/** The value of the label `outcome` by the state of the message after the attempt. */
const DELIVERY_OUTCOMES = {
  delivered: 'completed',
  'already-subscribed': 'completed',
  rejected: 'rejected',
  pending: 'failed',
} as const satisfies Record<MessageState, string>;

/** Outcomes that are responses: what does not exist is no failure. */
const RESPONSES: ReadonlySet<string> = new Set(['ok', 'not-found']);
const NOT_SENT: ReadonlySet<string> = new Set(['breaker-open', 'overloaded']);

export interface MetricsOptions {
  /** UPSTREAM_TIMEOUT_MS. */
  upstreamTimeoutMs: number;
  /** Milliseconds since 1970. */
  wallClock: () => number;
}

/** Makes the metrics of one site, in a registry of its own. */
export function createMetrics({ upstreamTimeoutMs, wallClock }: MetricsOptions): Metrics {
  const registry = new Registry();
  const histogram = (name: DurationMetric) =>
    declareHistogram(registry, name, bucketBounds(name, upstreamTimeoutMs));
  const requests = declareCounter(registry, 'http_requests_total');
  const refusals = declareCounter(registry, 'http_refusals_total');
  const cacheResults = declareCounter(registry, 'response_cache_requests_total');
  const durations = histogram('http_request_duration_seconds');
  const misses = histogram('http_cache_miss_duration_seconds');
  const upstreamRequests = declareCounter(registry, 'upstream_requests_total');
  const upstreamRefusals = declareCounter(registry, 'upstream_refusals_total');
  const droppedItems = declareCounter(registry, 'upstream_dropped_items_total');
  const upstreamDurations = histogram('upstream_request_duration_seconds');
  const renders = declareHistogram(registry, 'render_duration_seconds', RENDER_SECONDS);
  const deliveries = declareCounter(registry, 'outbox_deliveries_total');
  const losses = declareCounter(registry, 'article_body_losses_total');
  const reducedBodies = declareCounter(registry, 'article_bodies_reduced_total');
  // A series that begins with its first increment would show no increase to the alert.
  reducedBodies.inc({ reason: 'unstable' }, 0);
  const delay = watchEventLoopDelay(DELAY_WINDOW_MS);
  declareReading(registry, 'event_loop_lag_seconds', () =>
    Object.entries(delay.value()).map(([stat, seconds]) => [{ stat }, seconds]),
  );
  const defaults = processMetrics();
  const failures = new Map<string, LastFailures[string]>();

  function noteFailure(operation: string, outcome: string, reason: string): void {
    failures.set(operation, { at: new Date(wallClock()).toISOString(), outcome, reason });
  }

  return {
    registry,
    registries: [registry, defaults],
    text: async () => (await Promise.all([registry.metrics(), defaults.metrics()])).join('\n'),
    observeResponse({ route = 'none', method, status, cacheResult, refusedBy, ms }) {
      requests.inc({ route, method, status });
      if (refusedBy !== null) {
        refusals.inc({ limit: refusedBy });
        return;
      }
      if (cacheResult !== null) cacheResults.inc({ result: cacheResult });
      durations.observe({ route }, ms / 1000);
      if (cacheResult === 'miss') misses.observe({ route }, ms / 1000);
    },
    observeCall({ call: operation, outcome, ms, status, reason }) {
      if (NOT_SENT.has(outcome)) {
        upstreamRefusals.inc({ operation, reason: outcome });
        return;
      }
      upstreamRequests.inc({ operation, outcome });
      upstreamDurations.observe({ operation }, ms / 1000);
      if (!RESPONSES.has(outcome)) noteFailure(operation, outcome, String(status ?? reason ?? outcome));
    },
    observeDroppedItems({ call: operation, reason, items }) {
      droppedItems.inc({ operation }, items);
      noteFailure(operation, 'dropped items', reason);
    },
    lastFailures: () => Object.fromEntries(failures),
    observeDelivery: (kind, state) => deliveries.inc({ kind, outcome: DELIVERY_OUTCOMES[state] }),
    observeRender: (ms) => renders.observe(ms / 1000),
    observeWebVitals: createWebVitalsMetrics(registry),
    observeTransform: createImageMetrics(registry),
    observeLosses(lost) {
      for (const { outcome, element } of lost) losses.inc({ outcome, element });
    },
    observeReducedBody: (reason) => reducedBodies.inc({ reason }),
    close: delay.close,
  };
}
