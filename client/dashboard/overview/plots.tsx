import { useMemo } from 'react';
import { age, axisTime, count, duration, perSecond } from '#client/dashboard/elements/format.ts';
import { quantile, quantileText } from '#client/dashboard/samples/quantile.ts';
import type { Choice, SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { isAlarming } from '#shared/alerts-on-dashboard.ts';
import {
  declarations,
  type MetricName,
  type RateLine,
  type SampledDuration,
  sampledBounds,
} from '#shared/metric-declarations.ts';
import { isRead } from './operations.ts';
import { Plot, type PlottedSeries } from './plot.tsx';
import { FIFTHS } from './verdict.ts';

type Tone = RateLine['tone'];

/** The four plots: what readers get and how soon, what the upstream is asked, what waits. */
export function Plots({ window, upstreamTimeoutMs }: { window: SampleWindow; upstreamTimeoutMs: number }) {
  const { at } = window;
  const plotted = useMemo(() => plottedOf(window, upstreamTimeoutMs), [window, upstreamTimeoutMs]);
  const axis = { x: at, ends: [axisTime(at[0] ?? 0), axisTime(at.at(-1) ?? 0)] } as const;
  return (
    <div className="plots">
      <Plot title="Responses" {...axis} series={plotted.responses} format={perSecond} />
      <Plot title="Time to respond" {...axis} series={plotted.durations} format={duration} />
      <Plot title="Upstream requests" {...axis} series={plotted.upstream} format={perSecond} />
      <Plot title="Messages" {...axis} series={plotted.messages} format={count} />
    </div>
  );
}

/** What the legend says is of the last minute, and a quantile of the minute before each sample: ten seconds have too few. */
const MINUTE_SECONDS = 60;
/** The newest sample may be a second after the one before, which makes no rate. */
const MIN_STEP_SECONDS = 5;
const OTHER_FAILURES = (outcome: string) => outcome !== 'timeout' && outcome !== 'status';
const isDelivery = (operation: string) => !isRead(operation);

/** Series by plot. */
type Plotted = Record<'responses' | 'durations' | 'upstream' | 'messages', PlottedSeries[]>;

function plottedOf(window: SampleWindow, upstreamTimeoutMs: number): Plotted {
  const minuteAgo = window.indexBefore(MINUTE_SECONDS);
  const rateOf = (metric: MetricName, choice: Choice = {}) =>
    window.increase(metric, choice, minuteAgo) / Math.max(1, window.seconds(minuteAgo));
  const rate = (label: string, tone: Tone, metric: MetricName, choice: Choice = {}): PlottedSeries => ({
    label,
    tone,
    metric,
    text: perSecond(rateOf(metric, choice)),
    values: window.steps(metric, choice).map((grown, index) => {
      const seconds = window.seconds(index - 1, index);
      return grown === null || seconds < MIN_STEP_SECONDS ? null : grown / seconds;
    }),
  });
  const declaredLines = (plot: RateLine['plot']): PlottedSeries[] =>
    declarations().flatMap(([metric, { lines = [] }]) =>
      lines
        .filter((line) => line.plot === plot)
        .map(({ label, tone, where }) => rate(label, tone, metric, where)),
    );
  const pending = (kind: string, tone: Tone): PlottedSeries => ({
    label: `${kind} pending`,
    tone,
    metric: 'outbox_messages',
    values: window.gauge('outbox_messages', { kind, state: 'pending' }),
  });
  const responseTime = 'http_request_duration_seconds';
  const bounds = sampledBounds(responseTime, upstreamTimeoutMs);
  const time = (q: number, label: string, tone: Tone): PlottedSeries => ({
    label,
    tone,
    metric: responseTime,
    text: quantileText(quantile(q, window.buckets(responseTime, {}, minuteAgo), bounds)),
    values: quantiles(window, q, responseTime, bounds),
  });
  const failed = rate('5xx', 'bad', 'http_requests_total', { status: FIFTHS });
  const sent = rate('ok', 'good', 'upstream_request_duration_seconds', { operation: isRead });
  const failing = (label: string, tone: Tone, outcome: string | typeof OTHER_FAILURES) =>
    rate(label, tone, 'upstream_requests_total', { operation: isRead, outcome });
  const failures = rate('failures', 'bad', 'upstream_requests_total', { operation: isRead });
  const succeeded =
    rateOf('upstream_request_duration_seconds', { operation: isRead }) -
    rateOf('upstream_requests_total', { operation: isRead });
  const oldest = window.latest('outbox_oldest_message_age_seconds');
  const rejected = window.gauge('outbox_messages', { state: 'rejected' });
  return {
    responses: [
      ...declaredLines('Responses'),
      { ...failed, isAlarming: rateOf('http_requests_total', { status: FIFTHS }) > 0 },
    ],
    durations: [time(0.5, 'p50', 'good'), time(0.95, 'p95', 'cool'), time(0.99, 'p99', 'warn')],
    upstream: [
      {
        ...sent,
        text: perSecond(succeeded),
        values: sent.values.map((all, index) => all && all - (failures.values[index] ?? 0)),
      },
      failing('status', 'bad', 'status'),
      failing('timeout', 'warn', 'timeout'),
      failing('other failures', 'faint', OTHER_FAILURES),
      ...declaredLines('Upstream requests'),
      rate('deliveries', 'cool', 'upstream_request_duration_seconds', { operation: isDelivery }),
    ],
    messages: [
      pending('submissions', 'warn'),
      pending('views', 'cool'),
      {
        label: 'rejected',
        tone: 'bad',
        metric: 'outbox_messages',
        values: rejected,
        isAlarming: isAlarming('OutboxRejected', rejected.at(-1) ?? null),
      },
      {
        label: 'oldest',
        tone: 'faint',
        text: age(oldest),
        metric: 'outbox_oldest_message_age_seconds',
        values: [],
        isAlarming: isAlarming('OutboxOldestMessage', oldest),
      },
    ],
  };
}

function quantiles(window: SampleWindow, q: number, metric: SampledDuration, bounds: readonly number[]) {
  const { at } = window;
  let from = 0;
  return at.map((time, index) => {
    while (from + 1 < index && (at[from + 1] ?? 0) <= time - MINUTE_SECONDS * 1000) from++;
    if (index === 0) return null;
    return quantile(q, window.buckets(metric, {}, from, index), bounds)?.seconds ?? null;
  });
}
