import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ops } from '#client/dashboard/api/ops-api.ts';
import { type Column, GridPanel } from '#client/dashboard/elements/data-grid.tsx';
import { clockTime, plural } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/forms/result-line.tsx';
import type { AuditEntry } from '#shared/models/ops/ops-api-types.ts';
import { describeChange } from './describe-change.ts';

const COLUMNS: Column<AuditEntry>[] = [
  {
    label: 'When',
    isText: true,
    of: ({ at }) => (
      <time dateTime={at}>
        {at.slice(0, 10)} {clockTime(new Date(at))}
      </time>
    ),
  },
  { label: 'What', isText: true, isRowHeader: true, of: ({ what }) => <Link to={viewOf(what)}>{what}</Link> },
  { label: 'Change', isText: true, of: describeChange, classOf: () => 'why' },
  { label: 'Who', isText: true, of: ({ who }) => who },
  { label: 'From', isText: true, of: ({ from }) => from },
  { label: 'Request', isText: true, of: ({ requestId }) => requestId },
];

/** Lists who changed what at this instance, newest first. */
export function Component() {
  const { data, error, isFetching, refetch } = useQuery({ queryKey: ['audit'], queryFn: ops.audit });
  return (
    <GridPanel
      title="Changes"
      section="Audit log"
      columns={COLUMNS}
      rows={data?.entries}
      keyOf={({ id }) => id}
      empty="Nothing has been changed yet."
    >
      <div className="buttons">
        <button type="button" onClick={() => void refetch()}>
          Refresh
        </button>
      </div>
      <ResultLine
        busy={isFetching}
        error={error}
        text={data && `${plural(data.entries.length, 'entry', 'entries')}.`}
      />
    </GridPanel>
  );
}

/** Returns the view in which such a change is made. */
function viewOf(what: string): string {
  const [, resource] = /^policy of (.+)$/.exec(what) ?? [];
  if (resource !== undefined) return `/policies/${resource}`;
  if (what === 'cache mode') return '/overrides';
  return what === 'purge' ? '/purge' : '/outbox';
}
