import { type ReactNode, useEffect, useState } from 'react';
import {
  EXPLANATIONS,
  type Explanation,
  type ExplanationName,
  explanationId,
  explanationOf,
} from './explanations.ts';

/** Renders a number or a column's heading that has an explanation: for the pointer, the keyboard, touch and screen readers. */
export function Explained({
  name,
  className = '',
  cell = false,
  children,
}: {
  name: ExplanationName;
  className?: string;
  /** In a table that is one tab stop: arrows move to it. */
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

/** Holds all explanations, and shows that of the hovered, else of the focused number in a line at the foot of the page. */
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
          {shown === null ? (
            'Point at a number, or focus it, to see what it means.'
          ) : (
            <ExplanationText {...EXPLANATIONS[shown]} />
          )}
        </p>
      </aside>
      <div hidden>
        {Object.entries(EXPLANATIONS).map(([name, explanation]) => (
          <p key={name} id={`explains-${name}`}>
            <ExplanationText {...explanation} />
          </p>
        ))}
      </div>
    </>
  );
}

function ExplanationText({ text, metric }: Explanation) {
  return (
    <>
      {text}
      {metric !== '' && (
        <>
          {' '}
          Prometheus: <code>{metric}</code>
        </>
      )}
    </>
  );
}
