import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { useReadOnly } from '#client/dashboard/api/ops-api.ts';

/** A `ref` that gives an element the focus when it is rendered first. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/** A `ref` of an element that may go while it has the focus, as with the row of a message: the view then gets it. */
export function leaveFocusToView(element: HTMLElement | null) {
  return () => {
    if (element?.contains(document.activeElement)) document.getElementById('view')?.focus();
  };
}

/** A button that changes the site. With a token that may only read it does nothing, and says why; it keeps the focus. */
export function ChangeButton({ onClick, ...button }: Omit<ComponentProps<'button'>, 'type'>) {
  const id = useId();
  if (!useReadOnly()) return <button {...button} type="button" onClick={onClick} />;
  return (
    <>
      <button {...button} type="button" aria-disabled="true" aria-describedby={id} />
      <span id={id} className="about">
        This token may only read (OPS_READ_TOKEN).
      </span>
    </>
  );
}

interface ConfirmProps {
  /** Of the button that asks for the preview. */
  label: string;
  /** Returns what the change will do. Its error is shown in place of a preview. */
  preview: () => ReactNode | Promise<ReactNode>;
  /** Of the button that makes the change. */
  action: string;
  /** Makes it. Resolves with what was done, in words. */
  commit: () => Promise<string>;
}

/** A change of the site in two steps: a button that says what it would do, and one that does that, whatever is typed meanwhile. */
export function Confirm({ label, preview, action, commit }: ConfirmProps) {
  const button = useRef<HTMLButtonElement>(null);
  const shown = useMutation({ mutationFn: async () => ({ effect: await preview(), action, commit }) });
  const change = useMutation({
    mutationFn: (previewed: () => Promise<string>) => previewed(),
    onSuccess: close,
  });

  const error = change.error ?? shown.error;
  const result = error ? `✕ Not done: ${error.message}` : change.data && `✓ ${change.data}`;

  function close(): void {
    shown.reset();
    button.current?.focus();
  }

  return (
    <div ref={leaveFocusToView}>
      <ChangeButton
        ref={button}
        onClick={() => {
          change.reset();
          shown.mutate();
        }}
      >
        {label}
      </ChangeButton>
      {shown.isSuccess && (
        <div
          className="confirmation"
          ref={focusOnMount}
          tabIndex={-1}
          role="group"
          aria-label={`${label}: effect`}
        >
          {shown.data.effect}
          <div className="buttons">
            <button
              type="button"
              className="primary"
              onClick={() => change.isPending || change.mutate(shown.data.commit)}
            >
              {shown.data.action}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </div>
      )}
      {/* Always mounted, so that a screen reader announces each change. */}
      <p role="status" className={`result ${error ? 'bad' : ''}`}>
        {shown.isPending || change.isPending ? 'Working…' : result}
      </p>
    </div>
  );
}
