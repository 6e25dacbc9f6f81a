import { type ReactNode, useEffect, useState } from 'react';
import { EXPLANATIONS, type ExplanationName, explanationId, explanationOf } from './explanations.ts';

/** A number, or the head of a column of them, that explains itself: to the pointer, the keyboard, a finger and a screen reader alike. */
export function Explained({
  name,
  className = '',
  cell = false,
  children,
}: {
  name: ExplanationName;
  className?: string;
  /** It stands in a table that is one tab stop: arrows lead to it. */
  cell?: boolean;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={`explained ${className}`}
      aria-describedby={explanationId(name)}
      data-explains={name}
      data-cell={cell || undefined}
      tabIndex={cell ? -1 : 0}
    >
      {children}
    </button>
  );
}

/** Holds every explanation, and shows that of what is pointed at, else of what has the focus, in a line at the foot, where it covers nothing. */
export function Explanations() {
  const [pointed, setPointed] = useState<ExplanationName | null>(null);
  const [focused, setFocused] = useState<ExplanationName | null>(null);
  useEffect(() => {
    const onPointer = ({ target }: Event) => setPointed(explanationOf(target));
    const onFocus = ({ target }: Event) => setFocused(explanationOf(target));
    const onBlur = () => setFocused(null);
    document.addEventListener('pointerover', onPointer);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onBlur);
    return () => {
      document.removeEventListener('pointerover', onPointer);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onBlur);
    };
  }, []);
  const shown = pointed ?? focused;
  return (
    <>
      <aside className="explanation" aria-label="What a number means">
        <p>
          {shown === null
            ? 'Point at a number, or go to it with the keyboard: it says what it means.'
            : EXPLANATIONS[shown]}
        </p>
      </aside>
      <div hidden>
        {Object.entries(EXPLANATIONS).map(([name, text]) => (
          <p key={name} id={`explains-${name}`}>
            {text}
          </p>
        ))}
      </div>
    </>
  );
}
