import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ChangeButton } from './change-button.tsx';
import { ResultLine } from './result-line.tsx';

/** A change of the site, to confirm. */
interface Change {
  title: string;
  /** The label of the button that makes it. */
  action: string;
  /** What it will do, in sentences. */
  effects: readonly string[];
  /** Makes it. Resolves with what was done, in words. */
  commit: () => Promise<string>;
}

/** What came of a form. */
export interface Outcome {
  /** The response in one line, which is announced. */
  summary?: string;
  change?: Change;
  content?: ReactNode;
}

type Submit = () => Outcome | Promise<Outcome>;

interface ActionFormProps {
  submit: Submit;
  /** The label of the button that submits. */
  action?: string;
  /** A second way to submit, with a button of its own. */
  alternative?: { action: string; submit: Submit } | undefined;
  canSubmit?: boolean;
  /** Stands below the buttons. */
  about?: string;
  /** What was done to the fields, in words. */
  note?: string | undefined;
  /** The outcome needs the whole width: it is below the form. */
  isWide?: boolean;
  /** The fields. */
  children: ReactNode;
  /** Stands where the outcome will. */
  rest?: ReactNode;
}

/**
 * Renders a form and, beside it where there is room, what came of it. Nothing is changed but by a second step: the outcome
 * previews a change, and a button confirms it. Editing a field takes the outcome and the last result away.
 */
export function ActionForm({
  submit,
  action = 'Preview the effect',
  alternative,
  canSubmit = true,
  about = 'Nothing changes until you confirm the preview.',
  note,
  isWide = false,
  children,
  rest,
}: ActionFormProps) {
  const outcome = useMutation({ mutationFn: async (make: Submit) => make() });
  const change = useMutation({ mutationFn: ({ commit }: Change) => commit(), onSuccess: close });
  const button = useRef<HTMLButtonElement>(null);

  function clear(): void {
    outcome.reset();
    change.reset();
  }

  function show(make: Submit): void {
    change.reset();
    outcome.mutate(make);
  }

  function close(): void {
    outcome.reset();
    button.current?.focus();
  }

  return (
    <div className={`controls ${isWide ? '' : 'beside'}`}>
      <form
        className="fields"
        onChange={clear}
        onSubmit={(event) => {
          event.preventDefault();
          show(submit);
        }}
      >
        {children}
        <div className="buttons">
          <button type="submit" ref={button} className="primary" disabled={!canSubmit}>
            {action}
          </button>
          {alternative && (
            <button type="button" onClick={() => show(alternative.submit)}>
              {alternative.action}
            </button>
          )}
        </div>
        {about && <p className="about">{about}</p>}
      </form>
      <div className="outcome">
        <ResultLine
          busy={outcome.isPending || change.isPending}
          error={change.error ?? outcome.error}
          text={note ?? change.data ?? outcome.data?.summary}
        />
        {outcome.data?.change ? (
          <Confirmation
            change={outcome.data.change}
            onConfirm={(confirmed) => !change.isPending && change.mutate(confirmed)}
            onCancel={close}
          >
            {outcome.data.content}
          </Confirmation>
        ) : (
          (outcome.data?.content ?? rest)
        )}
      </div>
    </div>
  );
}

interface ConfirmationProps {
  change: Change;
  onConfirm: (change: Change) => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Takes the focus when it opens. */
function Confirmation({ change, onConfirm, onCancel, children }: ConfirmationProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="confirmation" aria-labelledby="confirmation-title">
      <h2 id="confirmation-title" ref={heading} tabIndex={-1}>
        {change.title}
      </h2>
      <ul className="plain">
        {change.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      {children}
      <div className="buttons">
        <ChangeButton className="primary" onClick={() => onConfirm(change)}>
          {change.action}
        </ChangeButton>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </section>
  );
}
