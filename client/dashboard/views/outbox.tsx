import { useCallback, useEffect, useRef, useState } from 'react';
import type { OutboxItem, OutboxState } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/layout.tsx';

/** What waits on its way upstream, and what was refused: listed anew whenever its depth changes. */
export function OutboxView({ api, live: { metrics } }: ViewProps) {
  const [outbox, setOutbox] = useState<OutboxState | null>(null);
  const [failure, setFailure] = useState('');
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  const listed = useRef<string>(null);
  const { submissions = 0, views = 0, refused = 0, oldestSeconds = 0 } = metrics?.queues ?? {};
  const depth = `${submissions}/${views}/${refused}`;

  const list = useCallback(async () => {
    try {
      setOutbox(await api.outbox());
      setFailure('');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }, [api]);

  useEffect(() => {
    if (listed.current === depth) return;
    listed.current = depth;
    void list();
  }, [list, depth]);

  function retry({ id }: OutboxItem): void {
    void action.run(async () => {
      await api.retry(id);
      await list();
      // Its row is gone, and the focus with it.
      heading.current?.focus();
      return `Item ${id} is on its way again.`;
    });
  }

  return (
    <>
      <dl className="facts big">
        <div>
          <dt>Submissions waiting</dt>
          <dd>
            <Explained name="outbox">{count(submissions)}</Explained>
          </dd>
        </div>
        <div>
          <dt>View counts waiting</dt>
          <dd>
            <Explained name="outbox">{count(views)}</Explained>
          </dd>
        </div>
        <div>
          <dt>Oldest</dt>
          <dd>
            <Explained name="oldest">{submissions + views === 0 ? '–' : age(oldestSeconds)}</Explained>
          </dd>
        </div>
        <div>
          <dt>Refused for good</dt>
          <dd>
            <Explained name="refused" className={refused > 0 ? 'alarming' : ''}>
              {count(refused)}
            </Explained>
          </dd>
        </div>
      </dl>
      <h2 ref={heading} tabIndex={-1}>
        Items
      </h2>
      <p className="about">
        What waits is tried again by itself, at least every five minutes. What was refused is tried again only
        by hand, when the reason is mended. Nothing personal is shown; at most 500 are listed.
      </p>
      <ResultLine {...action} />
      {failure !== '' && <p className="bad">{failure}</p>}
      {outbox?.items.length === 0 && <p>The outbox is empty.</p>}
      {outbox && outbox.items.length > 0 && <ItemTable items={outbox.items} onRetry={retry} />}
    </>
  );
}

function ItemTable({ items, onRetry }: { items: OutboxItem[]; onRetry: (item: OutboxItem) => void }) {
  const now = Date.now();
  return (
    <div className="scroll">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">id</th>
            <th scope="col" className="words">
              kind
            </th>
            <th scope="col" className="words">
              state
            </th>
            <th scope="col">
              <Explained name="itemAge">age</Explained>
            </th>
            <th scope="col">
              <Explained name="attempts">attempts</Explained>
            </th>
            <th scope="col" className="words">
              last error
            </th>
            <th scope="col">step</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <th scope="row">{item.id}</th>
              <td className="words">{item.kind}</td>
              <td className={`words ${item.state === 'refused' ? 'bad' : ''}`}>{item.state}</td>
              <td data-explains="itemAge">
                {age(Math.max(0, Math.round((now - Date.parse(item.createdAt)) / 1000)))}
              </td>
              <td data-explains="attempts">{count(item.attempts)}</td>
              <td className="words">{item.lastError ?? '–'}</td>
              <td>
                {item.state === 'refused' && (
                  <button
                    type="button"
                    aria-label={`Try again: sends item ${item.id} to the upstream once more`}
                    onClick={() => onRetry(item)}
                  >
                    Try again
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
