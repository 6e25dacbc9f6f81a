import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { focusOnMount } from '#client/dashboard/elements/focus-on-mount.ts';
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
  const { summary, change: proposed, content } = outcome.data ?? {};

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
          text={note ?? change.data ?? summary}
        />
        {proposed ? (
          <section className="confirmation" aria-labelledby="confirmation-title">
            <h2 id="confirmation-title" ref={focusOnMount} tabIndex={-1}>
              {proposed.title}
            </h2>
            <ul className="plain">
              {proposed.effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
            {content}
            <div className="buttons">
              <ChangeButton className="primary" onClick={() => change.isPending || change.mutate(proposed)}>
                {proposed.action}
              </ChangeButton>
              <button type="button" onClick={close}>
                Cancel
              </button>
            </div>
          </section>
        ) : (
          (content ?? rest)
        )}
      </div>
    </div>
  );
}
