import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OutboxMessage } from '#client/dashboard/api/ops-responses.ts';
import { ChangeButton } from '#client/dashboard/elements/change-button.tsx';
import { type Column, DataGrid } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import type { Metric } from '#client/dashboard/elements/metric.ts';
import { metricNames } from '#client/dashboard/elements/metric.ts';
import { MetricList } from '#client/dashboard/elements/metric-list.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useChange } from '#client/dashboard/elements/use-change.ts';
import { OLDEST_MESSAGE, REJECTED_MESSAGES } from '#client/dashboard/live/outbox-metrics.ts';
import { useLive } from '#client/dashboard/live/use-live.ts';
import { useOps } from '#client/dashboard/ops-context.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';

const FACTS: Metric<LiveMetrics>[] = [
  {
    label: 'Outbox: pending submissions',
    about: 'Form submissions that are not delivered to the upstream yet.',
    metric: 'outbox_messages',
    of: ({ outbox }) => count(outbox.pending.submissions),
  },
  {
    label: 'Outbox: pending view counts',
    about: 'View counts that are not delivered to the upstream yet.',
    metric: 'outbox_messages',
    of: ({ outbox }) => count(outbox.pending.views),
  },
  OLDEST_MESSAGE,
  REJECTED_MESSAGES,
];

/** Lists pending and rejected messages, again whenever their counts change, and retries them. */
export function Component() {
  const { metrics } = useLive();
  const ops = useOps();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['outbox', metrics?.outbox.pending, metrics?.outbox.rejected],
    queryFn: ops.outbox,
    placeholderData: (before) => before,
  });
  const retry = useChange({
    mutationFn: ({ id }: OutboxMessage) => ops.retry(id),
    // The row goes, and the focus with it.
    onSuccess: () => heading.current?.focus(),
  });
  return (
    <>
      {metrics && (
        <Panel title="Now" docs="outbox" metrics={metricNames(FACTS)}>
          <MetricList metrics={FACTS} source={metrics} className="facts big" />
        </Panel>
      )}
      <h2 ref={heading} tabIndex={-1}>
        Messages
      </h2>
      <p className="about">
        Pending messages are retried by themselves, at least every five minutes. Rejected ones are retried
        only here, once the reason is fixed. Nothing personal is shown; at most 500 are listed.
      </p>
      <ResultLine
        busy={retry.isPending}
        error={retry.error}
        text={retry.data && `Message ${retry.data.id} is being sent again.`}
      />
      {error && <p className="bad">{error.message}</p>}
      {data?.messages.length === 0 && <p>The outbox is empty.</p>}
      {data && data.messages.length > 0 && (
        <DataGrid
          label="Messages"
          columns={columnsAt(dataUpdatedAt, retry.mutate)}
          rows={data.messages}
          keyOf={({ id }) => String(id)}
        />
      )}
    </>
  );
}

/** `now`: milliseconds since 1970. */
function columnsAt(now: number, retry: (message: OutboxMessage) => void): Column<OutboxMessage>[] {
  return [
    { label: 'Id', of: ({ id }) => id },
    { label: 'Kind', isText: true, of: ({ kind }) => kind },
    {
      label: 'State',
      isText: true,
      of: ({ state }) => state,
      classOf: ({ state }) => (state === 'rejected' ? 'bad' : ''),
    },
    {
      label: 'Age',
      about: 'Since the message was accepted.',
      of: ({ createdAt }) => age(Math.max(0, Math.round((now - Date.parse(createdAt)) / 1000))),
    },
    {
      label: 'Attempts',
      about: 'How often it was sent to the upstream.',
      metric: 'outbox_deliveries_total',
      of: ({ attempts }) => count(attempts),
    },
    { label: 'Last error', isText: true, of: ({ lastError }) => lastError ?? '–' },
    {
      label: 'Action',
      of: (message) =>
        message.state === 'rejected' && (
          <ChangeButton
            aria-label={`Retry: sends message ${message.id} to the upstream once more`}
            onClick={() => retry(message)}
          >
            Retry
          </ChangeButton>
        ),
    },
  ];
}
