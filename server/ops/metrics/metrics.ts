import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { LRUCache } from 'lru-cache';
import type { CallRecord } from '#server/cms/client/cms-client.ts';
import type { CompletedResponse, OnResponse } from '#server/http/on-response.ts';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { type EventLoopDelay, watchDelay, watchUtilization } from './event-loop-delay.ts';
import { PAGES_ROUTE, routeLabel } from './route-label.ts';
import { createWebVitalsMetrics } from './web-vitals-metrics.ts';

/** What is counted while it happens. What can be asked for is read when somebody asks (`gauges.ts`). */
export interface Metrics {
  registry: Registry;
  /** Counts an answer by its route's template: nothing that a reader types becomes a label. */
  observeResponse: OnResponse;
  observeCall(record: CallRecord): void;
  /** `ms`: how long the render took, once its data was there. */
  observeRender(ms: number): void;
  /** What a reader's browser measured on one document. */
  observeWebVitals(vitals: WebVitals): void;
  close(): void;
}

/** What was answered on one route. The library builds a key of the labels at each count; this is handed to it when asked. */
interface Responses {
  time: Histogram.Internal<'route'>;
  byStatus: Map<number, number>;
}

const RESPONSE_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];
/** A scraper that comes once a minute, as Prometheus does unless told, sees each delay at least once. */
const DELAY_WINDOW_MS = 60_000;
/** An autoscaler needs what is so now. */
const UTILIZATION_WINDOW_MS = 15_000;
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5];

/** Metrics of one site, in a registry of their own: two sites in one process do not count for each other. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const responses = new Map<string, Responses>();
  new Counter({
    name: 'http_requests_total',
    help: 'Answers by route template and status class',
    labelNames: ['route', 'status'] as const,
    registers,
    collect() {
      this.reset();
      for (const [route, { byStatus }] of responses)
        for (const [status, count] of byStatus) this.inc({ route, status: statusClass(status) }, count);
    },
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to the last byte by route template',
    labelNames: ['route'] as const,
    buckets: RESPONSE_SECONDS,
    registers,
  });
  const calls = new Counter({
    name: 'upstream_calls_total',
    help: 'Attempts of upstream calls by outcome: ok, or the kind of the error',
    labelNames: ['call', 'outcome'] as const,
    registers,
  });
  const callDurations = new Histogram({
    name: 'upstream_call_duration_seconds',
    help: 'Time of upstream calls that were made',
    labelNames: ['call'] as const,
    buckets: CALL_SECONDS,
    registers,
  });
  const renders = new Histogram({
    name: 'page_render_duration_seconds',
    help: 'Time it took to draw a page that did not stand, its data not included',
    buckets: RESPONSE_SECONDS,
    registers,
  });
  /** Templates of what readers ask for most. */
  const pageRoutes = new LRUCache<string, string>({ max: 200, memoMethod: routeLabel });

  function responsesOf(route: string): Responses {
    const known = responses.get(route);
    if (known) return known;
    const made = { time: durations.labels({ route }), byStatus: new Map<number, number>() };
    responses.set(route, made);
    return made;
  }

  function observeResponse({ route, target, status, ms }: CompletedResponse): void {
    const { time, byStatus } = responsesOf(
      route === PAGES_ROUTE ? pageRoutes.memo(target) : (route ?? 'none'),
    );
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    time.observe(ms / 1000);
  }

  const delay = watchDelay(DELAY_WINDOW_MS);
  const utilization = watchUtilization(UTILIZATION_WINDOW_MS);
  observeProcess(registers, delay.value, utilization.value);

  return {
    registry,
    observeResponse,
    observeCall({ call, outcome, ms }) {
      calls.inc({ call, outcome });
      // A call that was refused before it was tried says nothing about the upstream's speed.
      if (outcome !== 'breaker-open' && outcome !== 'overloaded') callDurations.observe({ call }, ms / 1000);
    },
    observeRender: (ms) => renders.observe(ms / 1000),
    observeWebVitals: createWebVitalsMetrics(registers),
    close() {
      delay.close();
      utilization.close();
    },
  };
}

const CLASSES = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

function statusClass(status: number): string {
  return CLASSES[Math.floor(status / 100)] ?? 'other';
}

/** The library's own collectors keep a timer that cannot be stopped, so these few are read here. */
function observeProcess(registers: Registry[], delay: () => EventLoopDelay, utilization: () => number): void {
  new Gauge({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'How late the event loop ran over the last one to two minutes',
    labelNames: ['quantile'] as const,
    registers,
    collect() {
      const { p50, p99, max } = delay();
      this.set({ quantile: 0.5 }, p50);
      this.set({ quantile: 0.99 }, p99);
      this.set({ quantile: 1 }, max);
    },
  });
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of the last 15 to 30 seconds in which the event loop was at work: what to scale by',
    registers,
    collect() {
      this.set(utilization());
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'nodejs_heap_used_bytes',
    help: 'Used heap',
    registers,
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time since the start of the process',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
