import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { CallRecord } from '#server/cms/client/cms-client.ts';
import type { BodyLoss } from '#server/cms/cms-api.ts';
import type { OnResponse } from '#server/http/on-response.ts';
import type { TransformRecord } from '#server/images/image-service.ts';
import type { MessageState, OutboxKind } from '#server/outbox/message.ts';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import { createImageMetrics } from './image-metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { createWebVitalsMetrics } from './web-vitals-metrics.ts';

/** Metrics that are counted as things happen. Those that can be read at scrape time are in `gauges.ts`. */
export interface Metrics {
  /** The site's own metrics: several sites in one process do not count for each other. */
  registry: Registry;
  /** Returns the Prometheus text of the site's metrics and of its process. */
  text(): Promise<string>;
  /** Counts a response by its route's template: nothing that a reader types becomes a label. */
  observeResponse: OnResponse;
  observeCall(record: CallRecord): void;
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

const RESPONSE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];
const UPSTREAM_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];
/** Prometheus scrapes once a minute unless told otherwise: it sees each delay at least once. */
const DELAY_WINDOW_MS = 60_000;

/** The value of the label `outcome` by the state of the message after the attempt. */
const DELIVERY_OUTCOMES = {
  delivered: 'completed',
  'already-subscribed': 'completed',
  rejected: 'rejected',
  pending: 'failed',
} as const satisfies Record<MessageState, string>;

/** Makes the metrics of one site, in a registry of its own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses by route template, method and status code',
    labelNames: ['route', 'method', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of the request to the last byte of the response, by route template',
    labelNames: ['route'] as const,
    buckets: RESPONSE_SECONDS,
    registers,
  });
  const misses = new Histogram({
    name: 'http_cache_miss_duration_seconds',
    help: 'The part of http_request_duration_seconds that the front cache did not serve, by route template',
    labelNames: ['route'] as const,
    buckets: RESPONSE_SECONDS,
    registers,
  });
  const upstreamRequests = new Counter({
    name: 'upstream_requests_total',
    help: 'Attempts of upstream requests by operation and outcome: ok, not-found, or the kind of the error',
    labelNames: ['operation', 'outcome'] as const,
    registers,
  });
  const upstreamDurations = new Histogram({
    name: 'upstream_request_duration_seconds',
    help: 'Duration of upstream requests that were sent, by operation',
    labelNames: ['operation'] as const,
    buckets: UPSTREAM_SECONDS,
    registers,
  });
  const renders = new Histogram({
    name: 'render_duration_seconds',
    help: 'Duration of a render, without the wait for its data',
    buckets: RESPONSE_SECONDS,
    registers,
  });
  const deliveries = new Counter({
    name: 'outbox_deliveries_total',
    help: 'Attempts to deliver a message to the upstream; failed: it is tried again',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  });
  const losses = new Counter({
    name: 'article_body_losses_total',
    help: 'Elements of bodies that became a link or were removed, by element',
    labelNames: ['outcome', 'element'] as const,
    registers,
  });
  const reducedBodies = new Counter({
    name: 'article_bodies_reduced_total',
    help: 'Bodies that were not kept whole, by reason; unstable: only the text is left, which is a fault of the site',
    labelNames: ['reason'] as const,
    registers,
  });
  // A series that begins with its first increment would show no increase to the alert.
  reducedBodies.inc({ reason: 'unstable' }, 0);
  const delay = watchEventLoopDelay(DELAY_WINDOW_MS);
  new Gauge({
    name: 'event_loop_lag_seconds',
    help: 'Event-loop lag over the last one to two minutes, the same for every scraper; nodejs_eventloop_lag_* start anew with each scrape',
    labelNames: ['stat'] as const,
    registers,
    collect() {
      const { p50, p99, max } = delay.value();
      this.set({ stat: 'p50' }, p50);
      this.set({ stat: 'p99' }, p99);
      this.set({ stat: 'max' }, max);
    },
  });
  const defaults = processMetrics();
  return {
    registry,
    text: async () => (await Promise.all([registry.metrics(), defaults.metrics()])).join('\n'),
    observeResponse({ route = 'none', method, status, isCacheHit, ms }) {
      requests.inc({ route, method, status });
      durations.observe({ route }, ms / 1000);
      if (!isCacheHit) misses.observe({ route }, ms / 1000);
    },
    observeCall({ call: operation, outcome, ms }) {
      upstreamRequests.inc({ operation, outcome });
      // A request that was not sent says nothing about the upstream's latency.
      if (outcome !== 'breaker-open' && outcome !== 'overloaded')
        upstreamDurations.observe({ operation }, ms / 1000);
    },
    observeDelivery: (kind, state) => deliveries.inc({ kind, outcome: DELIVERY_OUTCOMES[state] }),
    observeRender: (ms) => renders.observe(ms / 1000),
    observeWebVitals: createWebVitalsMetrics(registers),
    observeTransform: createImageMetrics(registers),
    observeLosses(lost) {
      for (const { outcome, element } of lost) losses.inc({ outcome, element });
    },
    observeReducedBody: (reason) => reducedBodies.inc({ reason }),
    close: delay.close,
  };
}
