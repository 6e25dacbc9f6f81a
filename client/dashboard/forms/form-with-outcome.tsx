import type { ReactNode } from 'react';

export interface FormWithOutcomeProps {
  onEdit: () => void;
  onSubmit: () => void;
  buttons: ReactNode;
  /** Stands below the buttons. */
  about?: string | undefined;
  /** The fields. */
  children: ReactNode;
  /** What came of it. Beside the form where there is room. */
  outcome: ReactNode;
  /** The outcome needs the whole width: it is below the form. */
  isWide?: boolean | undefined;
}

/** Renders a form and its outcome. */
export function FormWithOutcome({
  onEdit,
  onSubmit,
  buttons,
  about,
  children,
  outcome,
  isWide = false,
}: FormWithOutcomeProps) {
  return (
    <div className={`controls ${isWide ? '' : 'beside'}`}>
      <form
        className="fields"
        onChange={onEdit}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <div className="buttons">{buttons}</div>
        {about && <p className="about">{about}</p>}
      </form>
      <div className="outcome">{outcome}</div>
    </div>
  );
}
