import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { Confirmation } from './confirmation.tsx';
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
    <div className="controls">
      <form
        className="fields"
        onChange={clear}
        onSubmit={(event) => {
          event.preventDefault();
          show(propose);
        }}
      >
        {children}
        <div className="buttons">
          <button type="submit" ref={preview} className="primary" disabled={!canPropose}>
            Preview the effect
          </button>
          {alternative && (
            <button type="button" onClick={() => show(alternative.propose)}>
              {alternative.label}
            </button>
          )}
        </div>
        <p className="about">Nothing changes until you confirm the preview.</p>
      </form>
      <div className="outcome">
        <ResultLine
          busy={proposal.isPending || change.isPending}
          error={change.error ?? proposal.error}
          text={note ?? change.data}
        />
        {proposal.data ? (
          <Confirmation
            title={proposal.data.title}
            action={proposal.data.action}
            onConfirm={() => !change.isPending && change.mutate(proposal.data)}
            onCancel={close}
          >
            {proposal.data.preview}
          </Confirmation>
        ) : (
          rest
        )}
      </div>
    </div>
  );
}
