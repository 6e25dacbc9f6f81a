import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outbox, OutboxMessage } from '#client/dashboard/api/ops-responses.ts';
import { ChangeButton } from '#client/dashboard/elements/change-button.tsx';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count } from '#client/dashboard/elements/format.ts';
import { ResultLine } from '#client/dashboard/elements/result-line.tsx';
import { useAction } from '#client/dashboard/elements/use-action.ts';
import type { ViewProps } from '#client/dashboard/use-view.ts';
import { isAlarming } from '#shared/alert-thresholds.ts';

/** Lists pending and rejected messages, again whenever their counts change, and retries them. */
export function OutboxView({ api, live: { metrics } }: ViewProps) {
  const [outbox, setOutbox] = useState<(Outbox & { loadedAt: number }) | null>(null);
  const [failure, setFailure] = useState('');
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  const listed = useRef<string>(null);
  const { pending, rejected = 0, oldestMessageAgeSeconds = 0 } = metrics?.outbox ?? {};
  const { submissions = 0, views = 0 } = pending ?? {};
  const counts = `${submissions}/${views}/${rejected}`;

  const list = useCallback(async () => {
    try {
      setOutbox({ ...(await api.outbox()), loadedAt: Date.now() });
      setFailure('');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }, [api]);

  useEffect(() => {
    if (listed.current === counts) return;
    listed.current = counts;
    void list();
  }, [list, counts]);

  function retry({ id }: OutboxMessage): void {
    void action.run(async () => {
      await api.retry(id);
      await list();
      // The row is gone, and the focus with it.
      heading.current?.focus();
      return `Message ${id} is being sent again.`;
    });
  }

  return (
    <>
      <dl className="facts big">
        <div>
          <dt>Outbox: pending submissions</dt>
          <dd>
            <Explained name="outboxPending">{count(submissions)}</Explained>
          </dd>
        </div>
        <div>
          <dt>Outbox: pending view counts</dt>
          <dd>
            <Explained name="outboxPending">{count(views)}</Explained>
          </dd>
        </div>
        <div>
          <dt>Oldest message</dt>
          <dd>
            <Explained name="oldestMessage">
              {submissions + views === 0 ? '–' : age(oldestMessageAgeSeconds)}
            </Explained>
          </dd>
        </div>
        <div>
          <dt>Outbox: rejected</dt>
          <dd>
            <Explained
              name="outboxRejected"
              className={isAlarming('rejectedMessages', rejected) ? 'alarming' : ''}
            >
              {count(rejected)}
            </Explained>
          </dd>
        </div>
      </dl>
      <h2 ref={heading} tabIndex={-1}>
        Messages
      </h2>
      <p className="about">
        Pending messages are retried by themselves, at least every five minutes. Rejected ones are retried
        only here, once the reason is fixed. Nothing personal is shown; at most 500 are listed.
      </p>
      <ResultLine {...action} />
      {failure !== '' && <p className="bad">{failure}</p>}
      {outbox?.messages.length === 0 && <p>The outbox is empty.</p>}
      {outbox && outbox.messages.length > 0 && <MessageTable {...outbox} onRetry={retry} />}
    </>
  );
}

function MessageTable({
  messages,
  loadedAt,
  onRetry,
}: {
  messages: OutboxMessage[];
  /** Wall-clock milliseconds. */
  loadedAt: number;
  onRetry: (message: OutboxMessage) => void;
}) {
  return (
    <div className="scroll">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col" className="words">
              Kind
            </th>
            <th scope="col" className="words">
              State
            </th>
            <th scope="col">
              <Explained name="messageAge">Age</Explained>
            </th>
            <th scope="col">
              <Explained name="attempts">Attempts</Explained>
            </th>
            <th scope="col" className="words">
              Last error
            </th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => (
            <tr key={message.id}>
              <th scope="row">{message.id}</th>
              <td className="words">{message.kind}</td>
              <td className={`words ${message.state === 'rejected' ? 'bad' : ''}`}>{message.state}</td>
              <td data-explains="messageAge">
                {age(Math.max(0, Math.round((loadedAt - Date.parse(message.createdAt)) / 1000)))}
              </td>
              <td data-explains="attempts">{count(message.attempts)}</td>
              <td className="words">{message.lastError ?? '–'}</td>
              <td>
                {message.state === 'rejected' && (
                  <ChangeButton
                    aria-label={`Retry: sends message ${message.id} to the upstream once more`}
                    onClick={() => onRetry(message)}
                  >
                    Retry
                  </ChangeButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
