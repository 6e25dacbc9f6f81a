import { type ReactNode, useEffect, useRef } from 'react';

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
        <button type="button" className="primary" onClick={onConfirm}>
          {action}
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </section>
  );
}
