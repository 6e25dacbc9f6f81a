import type { ReactNode } from 'react';
import './prose.css';

interface ProseProps {
  title: string;
  deck: string | null;
  /** Beside the text; on phones below it. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Renders a page of static text (about, privacy policy, forms). */
export function Prose({ title, deck, aside, children }: ProseProps) {
  return (
    <div className="page page-columns prose">
      <header className="prose-head">
        <h1>{title}</h1>
        {deck && <p className="deck prose-deck">{deck}</p>}
      </header>
      <div className="prose-text">{children}</div>
      {aside && <div className="prose-aside">{aside}</div>}
    </div>
  );
}
