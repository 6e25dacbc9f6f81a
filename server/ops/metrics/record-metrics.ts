import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import type { BodyLoss } from '#server/article-html/embeds.ts';
import type { LoadFailure } from '#server/cache/cache-events.ts';
import type { CallRecord } from '#server/cms/client/cms-client.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { LeftOutReport } from '#server/cms/lenient-parsing.ts';
import type { Config } from '#server/config/config.ts';
import { DROPPED_ELEMENTS } from '#server/html/text-content.ts';
import type { CompletedResponse } from '#server/http/response-observer.ts';
import type { TransformRecord } from '#server/images/image-service.ts';
import type { MessageState } from '#server/outbox/message-types.ts';
import type { Clock } from '#server/time.ts';
import { bucketBounds, type HistogramName } from '#shared/metric-declarations.ts';
import type { LastFailures, LiveState } from '#shared/models/metrics.ts';
import type { OutboxKind } from '#shared/models/outbox-kinds.ts';
import type { WebVitals } from '#shared/models/web-vitals.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import { registerCounter, registerHistogram, registerReading } from './register-metrics.ts';

/** Elements with a label of their own: an author may write any name. */
const COUNTED_ELEMENTS = new Set([...DROPPED_ELEMENTS, 'form', 'iframe', 'img']);

/** The value of the label `outcome` by the state of the message after the attempt. */
const DELIVERY_OUTCOMES = {
  delivered: 'completed',
  'already-subscribed': 'completed',
  rejected: 'rejected',
  pending: 'failed',
} as const satisfies Record<MessageState, string>;

/** The value of the label `device`: the beacon says how wide the window is. */
const DEVICES = { narrow: 'mobile', wide: 'desktop' } as const satisfies Record<WebVitals['width'], string>;

/** Outcomes that are responses: what does not exist is no failure. */
const RESPONSES: ReadonlySet<string> = new Set(['ok', 'not-found']);
const NOT_SENT: ReadonlySet<string> = new Set(['breaker-open', 'overloaded']);
/** Of the last failed response: a client may send a longer one. */
const MAX_URL_CHARS = 500;

/** Makes the counted metrics of one site, in a registry of its own. Those that are read at scrape time are in `gauges.ts`. */
export function createMetrics({
  upstreamTimeoutMs,
  clock,
}: Pick<Config, 'upstreamTimeoutMs'> & { clock: Clock }) {
  const registry = new Registry();
  const histogram = <Name extends HistogramName>(name: Name) =>
    registerHistogram(registry, name, bucketBounds(name, upstreamTimeoutMs));
  const requests = registerCounter(registry, 'http_requests_total');
  const refusals = registerCounter(registry, 'http_refusals_total');
  const cacheResults = registerCounter(registry, 'response_cache_requests_total');
  const durations = histogram('http_request_duration_seconds');
  const misses = histogram('http_cache_miss_duration_seconds');
  const upstreamRequests = registerCounter(registry, 'upstream_requests_total');
  const upstreamRefusals = registerCounter(registry, 'upstream_refusals_total');
  const droppedItems = registerCounter(registry, 'upstream_dropped_items_total');
  const upstreamDurations = histogram('upstream_request_duration_seconds');
  const renders = histogram('render_duration_seconds');
  const deliveries = registerCounter(registry, 'outbox_deliveries_total');
  const transforms = registerCounter(registry, 'image_transforms_total');
  const transformDurations = histogram('image_transform_duration_seconds');
  const lcps = histogram('web_vitals_lcp_seconds');
  const inps = histogram('web_vitals_inp_seconds');
  const shifts = histogram('web_vitals_cls');
  const chunkLoadErrors = registerCounter(registry, 'web_vitals_chunk_load_errors_total');
  const losses = registerCounter(registry, 'article_body_losses_total');
  const reducedBodies = registerCounter(registry, 'article_bodies_reduced_total');
  // A series that begins with its first increment would show no increase to the alert.
  reducedBodies.inc({ reason: 'unstable' }, 0);
  const delay = watchEventLoopDelay();
  registerReading(registry, 'event_loop_lag_seconds', () =>
    Object.entries(delay.value()).map(([stat, seconds]) => [{ stat }, seconds]),
  );
  const defaults = processMetrics();
  const failures: LastFailures = {};
  const drops: LastFailures = {};
  let failedRead: LiveState['lastFailedRead'] = null;

  return {
    registry,
    /** That of the site, and that of its process. */
    registries: [registry, defaults] as const,
    text: async (): Promise<string> =>
      (await Promise.all([registry.metrics(), defaults.metrics()])).join('\n'),
    /** Counts a response by its route's template: nothing that a reader types becomes a label. */
    observeResponse(response: CompletedResponse): void {
      const { route = 'none', method, status, cacheResult, refusedBy, ms, target } = response;
      requests.inc({ route, method, status });
      if (status >= 500 && method !== 'POST')
        failedRead = { at: clock.now(), status, route, url: target.slice(0, MAX_URL_CHARS) };
      if (refusedBy) {
        refusals.inc({ limit: refusedBy });
        return;
      }
      if (cacheResult) cacheResults.inc({ result: status >= 500 ? 'error' : cacheResult });
      durations.observe({ route }, ms / 1000);
      if (cacheResult === 'miss') misses.observe({ route }, ms / 1000);
    },
    observeCall({ call: operation, outcome, ms, status, reason }: CallRecord): void {
      if (NOT_SENT.has(outcome)) {
        upstreamRefusals.inc({ operation, reason: outcome });
        return;
      }
      upstreamRequests.inc({ operation, outcome });
      upstreamDurations.observe({ operation }, ms / 1000);
      // A series that begins with its first increment would show no increase to the alert.
      droppedItems.inc({ operation }, 0);
      if (!RESPONSES.has(outcome))
        failures[operation] = { at: clock.now(), reason: String(status ?? reason ?? outcome), key: null };
    },
    /** Notes which key the last failure of an operation was about. */
    observeLoadFailure({ key, error }: LoadFailure): void {
      const last = error instanceof UpstreamError && !NOT_SENT.has(error.kind) && failures[error.call];
      if (last) last.key = key;
    },
    observeDroppedItems({ call: operation, reason, items }: LeftOutReport): void {
      droppedItems.inc({ operation }, items);
      drops[operation] = { at: clock.now(), reason, key: null };
    },
    lastFailures: () => ({ lastFailures: failures, lastDrops: drops, lastFailedRead: failedRead }),
    /** `state`: the one that the attempt left the message in. */
    observeDelivery: (kind: OutboxKind, state: MessageState) =>
      deliveries.inc({ kind, outcome: DELIVERY_OUTCOMES[state] }),
    /** `ms`: how long the render took, without the wait for its data. */
    observeRender: (ms: number) => renders.observe(ms / 1000),
    observeWebVitals({ route, width, lcp, inp, cls, failedChunks }: WebVitals): void {
      const labels = { route, device: DEVICES[width] };
      if (lcp !== null) lcps.observe(labels, lcp / 1000);
      if (inp !== null) inps.observe(labels, inp / 1000);
      if (cls !== null) shifts.observe(labels, cls);
      chunkLoadErrors.inc({ route }, failedChunks);
    },
    observeTransform({ format, result, ms }: TransformRecord): void {
      transforms.inc({ format, result });
      if (result !== 'rejected') transformDurations.observe(ms / 1000);
    },
    observeLosses(lost: readonly BodyLoss[]): void {
      for (const { outcome, element } of lost)
        losses.inc({ outcome, element: COUNTED_ELEMENTS.has(element) ? element : 'other' });
    },
    observeReducedBody: (reason: string) => reducedBodies.inc({ reason }),
    close: delay.close,
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

let processRegistry: Registry | null = null;

/**
 * Returns the registry of the metrics library's defaults, `nodejs_*` and `process_*`. There is one for each process, made
 * at the first call: the library's collectors keep timers and observers that cannot be stopped.
 */
function processMetrics(): Registry {
  if (processRegistry) return processRegistry;
  const register = new Registry();
  // The library's own intervals (10 ms, 100 ms) cost an idle process 0.5 % of a core, these 0.2 %.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20, eventLoopUtilizationTimeout: 1_000 });
  // They walk every handle of the process: with 5,000 connections a scrape held the event loop for 46 ms.
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith('nodejs_active_')) register.removeSingleMetric(name);
  processRegistry = register;
  return register;
}
