import { useMemo } from 'react';
import { age, count, duration, perSecond } from '#client/dashboard/elements/format.ts';
import { quantile } from '#client/dashboard/samples/quantile.ts';
import type { SampleWindow } from '#client/dashboard/samples/sample-window.ts';
import { isAlarming } from '#shared/alert-rules.ts';
import { type DurationMetric, sampledBounds } from '#shared/metric-table.ts';
import { isRead } from './operations.ts';
import { Plot, type PlottedSeries } from './plot.tsx';

/** The four plots: what readers get and how soon, what the upstream is asked, what waits. */
export function Plots({ window, upstreamTimeoutMs }: { window: SampleWindow; upstreamTimeoutMs: number }) {
  const { at } = window;
  const plotted = useMemo(() => plottedOf(window, upstreamTimeoutMs), [window, upstreamTimeoutMs]);
  return (
    <div className="plots">
      <Plot title="Responses" at={at} series={plotted.responses} format={perSecond} isStacked />
      <Plot title="Time to respond" at={at} series={plotted.durations} format={duration} />
      <Plot title="Upstream requests sent" at={at} series={plotted.upstream} format={perSecond} isStacked />
      <Plot title="Messages" at={at} series={plotted.messages} format={count} />
    </div>
  );
}

const FIFTHS = (status: string) => status.startsWith('5');
const OTHER_FAILURES = (outcome: string) => outcome !== 'timeout' && outcome !== 'status';
const isDelivery = (operation: string) => !isRead(operation);

function plottedOf(window: SampleWindow, upstreamTimeoutMs: number) {
  const times = (...[q, label, tone, metric]: TimesArguments) =>
    durations(window, q, label, tone, metric, sampledBounds(metric, upstreamTimeoutMs));
  const rate = (...[metric, choice]: Parameters<SampleWindow['steps']>) =>
    window.steps(metric, choice).map((grown, index) => {
      const seconds = window.seconds(index - 1, index);
      return grown === null || seconds === 0 ? null : grown / seconds;
    });
  const served = (result: string, label: string, tone: PlottedSeries['tone']): PlottedSeries => ({
    label,
    metric: `response_cache_requests_total{result="${result}"}`,
    values: rate('response_cache_requests_total', { result }),
    tone,
  });
  const failed = rate('http_requests_total', { status: FIFTHS });
  const sent = (isMeant: (operation: string) => boolean) =>
    rate('upstream_request_duration_seconds', { operation: isMeant });
  const failures = rate('upstream_requests_total', { operation: isRead });
  const failing = (
    label: string,
    tone: PlottedSeries['tone'],
    outcome: string | ((one: string) => boolean),
  ): PlottedSeries => ({
    label,
    metric: 'upstream_requests_total{outcome}',
    values: rate('upstream_requests_total', { operation: isRead, outcome }),
    tone,
  });
  const oldest = window.latest('outbox_oldest_message_age_seconds');
  const pending = (kind: string, tone: PlottedSeries['tone']): PlottedSeries => ({
    label: `${kind} pending`,
    metric: 'outbox_messages{state="pending"}',
    values: window.gauge('outbox_messages', { kind, state: 'pending' }),
    tone,
  });
  return {
    responses: [
      served('hit', 'fresh', 'good'),
      served('stale', 'stale', 'cool'),
      served('miss', 'waited', 'warn'),
      { label: '429', metric: 'http_refusals_total', values: rate('http_refusals_total'), tone: 'faint' },
      {
        label: '5xx',
        metric: 'http_requests_total{status=~"5.."}',
        values: failed,
        tone: 'bad',
        isAlarming: (failed.at(-1) ?? 0) > 0,
      },
    ] satisfies PlottedSeries[],
    durations: [
      times(0.5, 'p50', 'good', 'http_request_duration_seconds'),
      times(0.95, 'p95', 'cool', 'http_request_duration_seconds'),
      times(0.99, 'p99', 'warn', 'http_request_duration_seconds'),
      times(0.95, 'p95 of misses', 'faint', 'http_cache_miss_duration_seconds'),
    ],
    upstream: [
      {
        label: 'ok',
        metric: 'upstream_requests_total{outcome="ok"}',
        values: sent(isRead).map((all, index) => all && all - (failures[index] ?? 0)),
        tone: 'good',
      },
      failing('status', 'bad', 'status'),
      failing('timeout', 'warn', 'timeout'),
      failing('other failures', 'faint', OTHER_FAILURES),
      { label: 'deliveries', metric: 'upstream_requests_total', values: sent(isDelivery), tone: 'cool' },
    ] satisfies PlottedSeries[],
    messages: [
      pending('submissions', 'warn'),
      pending('views', 'cool'),
      {
        label: 'rejected',
        metric: 'outbox_messages{state="rejected"}',
        values: window.gauge('outbox_messages', { state: 'rejected' }),
        tone: 'bad',
        isAlarming: isAlarming('OutboxRejected', window.latest('outbox_messages', { state: 'rejected' })),
      },
      {
        label: `oldest ${age(oldest)}`,
        metric: 'outbox_oldest_message_age_seconds',
        values: [],
        tone: 'faint',
        isAlarming: isAlarming('OutboxOldestMessage', oldest),
      },
    ] satisfies PlottedSeries[],
  };
}

/** A quantile of the responses of the last minute, at each sample: ten seconds may have too few. */
const QUANTILE_SECONDS = 60;

type TimesArguments = [q: number, label: string, tone: PlottedSeries['tone'], metric: DurationMetric];

function durations(
  window: SampleWindow,
  q: number,
  label: string,
  tone: PlottedSeries['tone'],
  metric: DurationMetric,
  bounds: readonly number[],
): PlottedSeries {
  const { at } = window;
  let from = 0;
  const values = at.map((time, index) => {
    while (from + 1 < index && (at[from + 1] ?? 0) <= time - QUANTILE_SECONDS * 1000) from++;
    if (index === 0) return null;
    return quantile(q, window.buckets(metric, {}, from, index), bounds)?.seconds ?? null;
  });
  return { label, metric, values, tone };
}
