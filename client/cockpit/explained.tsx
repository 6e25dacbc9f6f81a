import { createContext, type ReactNode, useContext, useState } from 'react';
import { EXPLANATIONS, type ExplanationName, explanationId } from './explanations.ts';

const Explain = createContext<(name: ExplanationName | null) => void>(() => undefined);

/** A number that explains itself: to the pointer, the keyboard, a finger and a screen reader alike. */
export function Explained({
  name,
  className = '',
  cell = false,
  children,
}: {
  name: ExplanationName;
  className?: string;
  /** It stands in a table, which is one tab stop: arrows lead to it. */
  cell?: boolean;
  children: ReactNode;
}) {
  const explain = useContext(Explain);
  return (
    <button
      type="button"
      className={`explained ${className}`}
      aria-describedby={explanationId(name)}
      data-cell={cell || undefined}
      tabIndex={cell ? -1 : 0}
      onFocus={() => explain(name)}
      onBlur={() => explain(null)}
      onMouseEnter={() => explain(name)}
      onMouseLeave={() => explain(null)}
    >
      {children}
    </button>
  );
}

/** Holds every explanation, and shows the one that is asked for in a line at the foot, where it covers nothing. */
export function Explanations({ children }: { children: ReactNode }) {
  const [name, explain] = useState<ExplanationName | null>(null);
  return (
    <Explain value={explain}>
      {children}
      <aside className="explanation" aria-label="What a number means">
        <p>
          {name === null
            ? 'Point at a number, or go to it with the keyboard: it says what it means.'
            : EXPLANATIONS[name]}
        </p>
      </aside>
      <div hidden>
        {Object.entries(EXPLANATIONS).map(([key, text]) => (
          <p key={key} id={`explains-${key}`}>
            {text}
          </p>
        ))}
      </div>
    </Explain>
  );
}
