import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { Confirm } from '#client/dashboard/elements/confirm.tsx';
import { age, clockTime, count, plural } from '#client/dashboard/elements/format.ts';
import { type Column, Failure, Table } from '#client/dashboard/elements/table.tsx';
import type { OutboxMessage } from '#shared/models/ops/ops-api-types.ts';
import { groupMessages, type MessageGroup } from './group-messages.ts';

const REFRESH_MS = 5_000;
/** Of one group. */
const MAX_ROWS = 20;

/** What waits for the upstream and what it rejected, by kind and error; retry and discard. */
export function MessagesView() {
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['outbox'],
    queryFn: ops.outbox,
    refetchInterval: REFRESH_MS,
  });
  const [opened, setOpened] = useState<string | null>(null);
  const groups = groupMessages(data?.messages ?? [], dataUpdatedAt);
  const chosen = groups.find(({ key }) => key === opened);
  return (
    <>
      <Failure error={error} />
      {data && (
        <p>
          {plural(data.pending.submissions, 'submission waits', 'submissions wait')},{' '}
          {plural(data.pending.views, 'view waits', 'views wait')}, {count(data.rejected)} rejected
          {data.oldestMessageAgeSeconds > 0 &&
            `; the oldest waits for ${age(Math.round(data.oldestMessageAgeSeconds))}`}
          . Rejected messages end after 30 days. Of each kind the newest 50 rejected and the oldest 50 that
          wait are listed.
        </p>
      )}
      {data && (
        <Table
          label="Table of groups"
          columns={groupColumns(opened, (key) => setOpened(key === opened ? null : key))}
          rows={groups}
          keyOf={({ key }) => key}
          empty="The outbox is empty."
        />
      )}
      {chosen && (
        <Table
          label="Table of messages"
          caption={`The oldest ${Math.min(MAX_ROWS, chosen.messages.length)} of ${count(chosen.messages.length)} listed: ${chosen.kind}, ${chosen.state}`}
          columns={messageColumns(dataUpdatedAt)}
          rows={chosen.messages.slice(0, MAX_ROWS)}
          keyOf={({ id }) => String(id)}
        />
      )}
    </>
  );
}

function groupColumns(opened: string | null, onOpen: (key: string) => void): Column<MessageGroup>[] {
  return [
    {
      label: 'kind',
      of: ({ key, kind }) => (
        <button type="button" className="link" aria-expanded={key === opened} onClick={() => onOpen(key)}>
          {kind}
        </button>
      ),
    },
    {
      label: 'state',
      of: ({ state }) => state,
      classOf: ({ state }) => (state === 'rejected' ? 'bad' : ''),
    },
    { label: 'listed', of: ({ messages }) => count(messages.length) },
    { label: 'oldest', of: ({ oldestSeconds }) => age(oldestSeconds) },
    { label: 'next attempt', of: ({ nextAttemptAt }) => timeOf(nextAttemptAt) },
    { label: 'most attempts', of: ({ attempts }) => count(attempts) },
    { label: 'last error', of: ({ lastError }) => lastError ?? '–', classOf: () => 'words' },
    {
      label: 'all of them',
      of: ({ kind, state }) =>
        state === 'rejected' && (
          <div className="buttons">
            <Confirm
              label={`Retry all of ${kind}`}
              preview={() => `Every rejected message of the kind ${kind} is sent to the upstream once more.`}
              action="Retry them"
              commit={() =>
                ops.retryAll(kind).then(({ retried }) => `${count(retried)} are being sent again.`)
              }
            />
            <Confirm
              label={`Discard all of ${kind}`}
              preview={() =>
                `Every rejected message of the kind ${kind} is erased, and what readers sent with it. This cannot be taken back.`
              }
              action="Discard them"
              commit={() => ops.discardAll(kind).then(({ discarded }) => `${count(discarded)} are gone.`)}
            />
          </div>
        ),
    },
  ];
}

const timeOf = (at: string | null) => (at === null ? '–' : clockTime(new Date(at)));

/** `now`: wall milliseconds. */
function messageColumns(now: number): Column<OutboxMessage>[] {
  return [
    { label: 'id', of: ({ id }) => id },
    {
      label: 'age',
      of: ({ createdAt }) => age(Math.max(0, Math.round((now - Date.parse(createdAt)) / 1_000))),
    },
    { label: 'next attempt', of: ({ nextAttemptAt }) => timeOf(nextAttemptAt) },
    { label: 'attempts', of: ({ attempts }) => count(attempts) },
    { label: 'last error', of: ({ lastError }) => lastError ?? '–', classOf: () => 'words' },
    { label: 'action', of: ({ id, state }) => state === 'rejected' && <Actions id={id} /> },
  ];
}

function Actions({ id }: Pick<OutboxMessage, 'id'>) {
  return (
    <div className="buttons">
      <Confirm
        label={`Retry ${id}`}
        preview={() => 'It is sent to the upstream once more.'}
        action="Retry it"
        commit={() => ops.retry(id).then(() => 'It is being sent again.')}
      />
      <Confirm
        label={`Discard ${id}`}
        preview={() => 'It is erased, and what the reader sent with it. This cannot be taken back.'}
        action="Discard it"
        commit={() => ops.discard(id).then(() => 'It is gone.')}
      />
    </div>
  );
}
