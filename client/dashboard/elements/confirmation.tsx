import { type ReactNode, useEffect, useRef } from 'react';
import { ChangeButton } from './change-button.tsx';

/** Shows what a control will do before it does it. Takes the focus when it opens. */
export function Confirmation({
  title,
  action,
  onConfirm,
  onCancel,
  children,
}: {
  title: string;
  /** The label of the button that does it. */
  action: string;
  onConfirm: () => void;
  onCancel: () => void;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="confirmation" aria-labelledby="confirmation-title">
      <h2 id="confirmation-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
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
