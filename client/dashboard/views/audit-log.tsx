import { useEffect, useState } from 'react';
import type { AuditEntry } from '#client/dashboard/api/ops-responses.ts';
import { clockTime } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import { describeChange } from './describe-change.ts';

/** Lists who changed what at this instance, newest first. */
export function AuditLogView({ api }: ViewProps) {
  const [entries, setEntries] = useState<AuditEntry[] | null>(null);
  const { run, busy, result } = useAction();

  useEffect(() => {
    void api.audit().then(
      (found) => setEntries(found.entries),
      () => setEntries([]),
    );
  }, [api]);

  function refresh(): void {
    void run(async () => {
      const found = await api.audit();
      setEntries(found.entries);
      return `${found.entries.length} entries.`;
    });
  }

  return (
    <>
      <p className="about">
        Every change made at this instance, the last thousand of them, also those before a restart. Who: the
        name of the token. With several instances each has its own.
      </p>
      <div className="buttons">
        <button type="button" onClick={refresh}>
          Refresh
        </button>
      </div>
      <ResultLine busy={busy} result={result} />
      {entries?.length === 0 && <p>Nothing has been changed yet.</p>}
      {entries && entries.length > 0 && <AuditTable entries={entries} />}
    </>
  );
}

function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <div className="scroll">
      <table className="numbers" aria-label="Changes">
        <thead>
          <tr>
            {['When', 'Who', 'From', 'What', 'Change', 'Request'].map((title) => (
              <th key={title} scope="col" className="words">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="words">
                <time dateTime={entry.at}>
                  {entry.at.slice(0, 10)} {clockTime(new Date(entry.at))}
                </time>
              </td>
              <td className="words">{entry.who}</td>
              <td className="words">{entry.from}</td>
              <th scope="row" className="words">
                <a href={viewOf(entry.what)}>{entry.what}</a>
              </th>
              <td className="words why">{describeChange(entry)}</td>
              <td className="words">{entry.requestId}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the view in which such a change is made. */
function viewOf(what: string): string {
  const [, resource] = /^policy of (.+)$/.exec(what) ?? [];
  if (resource !== undefined) return `#/policies/${resource}`;
  if (what === 'cache mode') return '#/overrides';
  return what === 'purge' ? '#/purge' : '#/outbox';
}
