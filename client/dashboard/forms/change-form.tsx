import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ChangeButton } from './change-button.tsx';
import { FormWithOutcome } from './form-with-outcome.tsx';
import { ResultLine } from './result-line.tsx';
import { useChange } from './use-change.ts';

/** A change to confirm. */
export interface Proposal {
  title: string;
  /** The label of the button that makes the change. */
  action: string;
  /** What it will do. */
  preview: ReactNode;
  /** Makes it. Resolves with what was done, in words. */
  commit: () => Promise<string>;
}

type Propose = () => Proposal | Promise<Proposal>;

/** Changes the site in two steps: preview, then confirm. Editing a field takes the preview and the last result away. */
export function ChangeForm({
  propose,
  alternative,
  note,
  canPropose = true,
  children,
  rest,
}: {
  propose: Propose;
  /** A second proposal, with a button of its own. */
  alternative?: { label: string; propose: Propose } | undefined;
  /** What was done to the fields, in words. */
  note?: string | undefined;
  canPropose?: boolean;
  /** The fields. */
  children: ReactNode;
  /** Stands where the preview will. */
  rest?: ReactNode;
}) {
  const proposal = useMutation({ mutationFn: async (make: Propose) => make() });
  const change = useChange({ mutationFn: ({ commit }: Proposal) => commit(), onSuccess: close });
  const preview = useRef<HTMLButtonElement>(null);

  function clear(): void {
    proposal.reset();
    change.reset();
  }

  function show(make: Propose): void {
    change.reset();
    proposal.mutate(make);
  }

  function close(): void {
    proposal.reset();
    preview.current?.focus();
  }

  return (
    <FormWithOutcome
      onEdit={clear}
      onSubmit={() => show(propose)}
      about="Nothing changes until you confirm the preview."
      buttons={
        <>
          <button type="submit" ref={preview} className="primary" disabled={!canPropose}>
            Preview the effect
          </button>
          {alternative && (
            <button type="button" onClick={() => show(alternative.propose)}>
              {alternative.label}
            </button>
          )}
        </>
      }
      outcome={
        <>
          <ResultLine
            busy={proposal.isPending || change.isPending}
            error={change.error ?? proposal.error}
            text={note ?? change.data}
          />
          {proposal.data ? (
            <Confirmation
              proposal={proposal.data}
              onConfirm={() => !change.isPending && change.mutate(proposal.data)}
              onCancel={close}
            />
          ) : (
            rest
          )}
        </>
      }
    >
      {children}
    </FormWithOutcome>
  );
}

/** Takes the focus when it opens. */
function Confirmation({
  proposal: { title, action, preview },
  onConfirm,
  onCancel,
}: {
  proposal: Proposal;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="confirmation" aria-labelledby="confirmation-title">
      <h2 id="confirmation-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {preview}
      <div className="buttons">
        <ChangeButton className="primary" onClick={onConfirm}>
          {action}
        </ChangeButton>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </section>
  );
}
