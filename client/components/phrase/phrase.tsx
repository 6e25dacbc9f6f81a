import type { ReactNode } from 'react';

/** Renders a text of the interface with an element in place of its placeholder. */
export function Phrase({ text, children }: { text: string; children: ReactNode }) {
  const [before, after] = text.split(/\{\w+\}/);
  // One element: translation by the browser replaces text nodes, and React cannot remove those that are gone.
  return (
    <span>
      {before}
      {children}
      {after}
    </span>
  );
}
