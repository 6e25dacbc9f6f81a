import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import {
  type Context,
  type Span as OpenTelemetrySpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Absent } from '#server/cache/cache-query.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { Config } from '#server/config/config.ts';
import { loggedPath } from '#server/http/access-log.ts';
import { PRODUCT } from '#server/outgoing-requests.ts';
import { createLogThrottle, withTimeout } from '#server/time.ts';
import type { RequestSpan, Span, TraceFields, Tracing } from './tracing.ts';

/** Bound of the spans that wait to be sent, and of those in one export; more are dropped. */
const MAX_WAITING_SPANS = 2_048;
const MAX_SPANS_PER_EXPORT = 512;
const EXPORT_INTERVAL_MS = 5_000;
/** Retries included. */
const EXPORT_TIMEOUT_MS = 5_000;
/** Exports in flight. A stop sends all that waits at once. */
const MAX_EXPORTS = MAX_WAITING_SPANS / MAX_SPANS_PER_EXPORT + 1;

const OPERATION_KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Sends spans to an OTLP/HTTP receiver (JSON) below the URL `endpoint`, in batches. Registers nothing globally. */
export function createOpenTelemetryTracing(
  endpoint: string,
  options: Omit<Config['tracing'], 'endpoint'>,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...options.headers },
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: MAX_EXPORTS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': PRODUCT,
      ...options.resourceAttributes,
      ...(options.serviceName !== null && { 'service.name': options.serviceName }),
    }),
    sampler: samplerOf(options.sampler, options.samplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_SPANS_PER_EXPORT,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer(PRODUCT);
  const storage = new AsyncLocalStorage<OpenTelemetrySpan>();
  const requests = new WeakMap<IncomingMessage, RequestSpan>();

  async function runIn<T>(span: OpenTelemetrySpan, work: (span: Span) => Promise<T>): Promise<T> {
    try {
      return await storage.run(span, () => work({ setAttributes: (some) => void span.setAttributes(some) }));
    } catch (error) {
      // That the upstream has nothing is no failure.
      if (!(error instanceof Absent)) {
        span.setAttribute('error.type', errorTypeOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    startRequest(request, startTime) {
      const { method = '', url: target = '', headers } = request;
      const options = { kind: SpanKind.SERVER, ...(startTime !== undefined && { startTime }) };
      const span = tracer.startSpan(method, options, contextOf(headers.traceparent));
      const started: RequestSpan = {
        fields: fieldsOf(span),
        run: (work) => storage.run(span, work),
        end(route, status, hitEndedAt) {
          describeRequest(span, method, target, route, status);
          if (hitEndedAt !== undefined) span.setAttribute('cache.result', 'hit');
          span.end(hitEndedAt);
        },
      };
      // The front cache has its span, and looks for it no more.
      if (startTime === undefined) requests.set(request, started);
      return started;
    },

    spanOf: (request) => requests.get(request),

    child(name, { kind = 'internal', attributes = {}, linkedTo = null }, work) {
      const parent = storage.getStore();
      if (parent === undefined) return work({ setAttributes: () => undefined });
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      const linked = parseTraceParent(linkedTo ?? '');
      const links = linked ? [{ context: linked }] : [];
      return runIn(tracer.startSpan(name, { kind: OPERATION_KINDS[kind], attributes, links }, context), work);
    },

    later: (name, traceparent, work) =>
      runIn(tracer.startSpan(name, {}, contextOf(traceparent ?? undefined)), work),

    outside: (work) => storage.exit(work),

    record(steps) {
      const parent = storage.getStore();
      if (!parent?.isRecording()) return;
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      let began = performance.now() - steps.reduce((sum, { ms }) => sum + ms, 0);
      for (const { name, ms } of steps) {
        const span = tracer.startSpan(name, { startTime: began }, context);
        began += ms;
        span.end(began);
      }
    },

    current() {
      const span = storage.getStore();
      return span !== undefined && isSampled(span.spanContext()) ? traceparentOf(span) : null;
    },

    headers() {
      const span = storage.getStore();
      return span === undefined ? {} : { traceparent: traceparentOf(span) };
    },

    // A new object for each line: pino adds the line's own fields to it.
    logFields() {
      const span = storage.getStore();
      return { ...(span && fieldsOf(span)) };
    },

    reportTo(logger, clock) {
      const isLogDue = createLogThrottle(clock);
      setGlobalErrorHandler((err) => {
        if (isLogDue()) logger.warn({ err }, 'traces cannot be sent: spans are dropped');
      });
    },

    async close(graceMs) {
      // What could not be sent is reported.
      await withTimeout(
        graceMs,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

/** A client's `tracestate` is not passed on: only what this server writes reaches the upstream. */
function contextOf(traceparent: IncomingMessage['headers'][string]): Context {
  if (typeof traceparent !== 'string') return ROOT_CONTEXT;
  const parent = parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Returns the sampler of `OTEL_TRACES_SAMPLER`. `ratio`: that of `OTEL_TRACES_SAMPLER_ARG`. */
function samplerOf(name: Config['tracing']['sampler'], ratio: number): Sampler {
  const share = name.endsWith('always_on') ? 1 : name.endsWith('always_off') ? 0 : ratio;
  const root = new TraceIdRatioBasedSampler(share);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

function fieldsOf(span: OpenTelemetrySpan): TraceFields | null {
  const context = span.spanContext();
  return isSampled(context) ? { trace_id: context.traceId, span_id: context.spanId } : null;
}

function traceparentOf(span: OpenTelemetrySpan): string {
  const context = span.spanContext();
  return `00-${context.traceId}-${context.spanId}-${isSampled(context) ? '01' : '00'}`;
}

function errorTypeOf(error: unknown): string {
  if (error instanceof UpstreamError) return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}

/** Attributes by OpenTelemetry's conventions for HTTP, without what the reader may have typed, as in the access log. */
function describeRequest(
  span: OpenTelemetrySpan,
  method: string,
  target: string,
  route: string | undefined,
  status: number,
): void {
  if (!span.isRecording()) return;
  if (route !== undefined) {
    span.updateName(`${method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.request.method', method);
  const path = loggedPath(target);
  if (path !== undefined) span.setAttribute('url.path', path);
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
