import type { ReactNode } from 'react';
import './prose.css';

/** A page of running text of our own. */
export function Prose({ title, deck, children }: { title: string; deck?: string; children: ReactNode }) {
  return (
    <div className="page prose">
      <h1>{title}</h1>
      {deck && <p className="prose-deck">{deck}</p>}
      {children}
    </div>
  );
}
