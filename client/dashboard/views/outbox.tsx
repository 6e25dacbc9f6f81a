import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { type Metric, MetricList, numeric } from '#client/dashboard/elements/metrics.tsx';
import { Panel } from '#client/dashboard/elements/panel.tsx';
import { ChangeButton } from '#client/dashboard/forms/change-button.tsx';
import { ResultLine } from '#client/dashboard/forms/result-line.tsx';
import { OLDEST_MESSAGE } from '#client/dashboard/live/service-levels.ts';
import { useLive } from '#client/dashboard/live/use-live.ts';
import type { LiveMetrics } from '#shared/models/metrics.ts';
import type { OutboxMessage } from '#shared/models/ops/ops-api-types.ts';

const FACTS: Metric<LiveMetrics>[] = [
  numeric('Pending submissions', ({ outbox }) => outbox.pending.submissions, count),
  numeric('Pending view counts', ({ outbox }) => outbox.pending.views, count),
  OLDEST_MESSAGE,
  numeric('Rejected', ({ outbox }) => outbox.rejected, count, 'OutboxRejected'),
];

/** Lists pending and rejected messages, again whenever their counts change, and retries them. */
export function Component() {
  const metrics = useLive((live) => live.metrics);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['outbox', metrics?.outbox.pending, metrics?.outbox.rejected],
    queryFn: ops.outbox,
    placeholderData: (before) => before,
  });
  const retry = useMutation({
    mutationFn: ({ id }: OutboxMessage) => ops.retry(id),
    // The row goes, and the focus with it.
    onSuccess: () => heading.current?.focus(),
  });
  return (
    <>
      {metrics && (
        <Panel title="Pending and rejected" section="Outbox">
          <MetricList metrics={FACTS} source={metrics} />
        </Panel>
      )}
      <GridPanel
        title="Messages"
        headingRef={heading}
        error={error}
        columns={columnsAt(dataUpdatedAt, retry.mutate)}
        rows={data?.messages}
        keyOf={({ id }) => String(id)}
        empty="The outbox is empty."
      >
        <ResultLine
          busy={retry.isPending}
          error={retry.error}
          text={retry.data && `Message ${retry.data.id} is being sent again.`}
        />
      </GridPanel>
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
    numeric('Age', ({ createdAt }) => Math.max(0, Math.round((now - Date.parse(createdAt)) / 1_000)), age),
    numeric('Attempts', ({ attempts }) => attempts, count),
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
