import { createContext, type ReactNode, useId } from 'react';
import { MetricLinks } from './metric-links.tsx';

/** The page of `docs/operating/` that the panel around belongs to. */
export const PanelDocs = createContext('metrics-and-alerts');

/** Renders a section with its heading, the Prometheus names of its metrics, and a link to its documentation. */
export function Panel({
  title,
  docs,
  metrics = [],
  className = '',
  children,
}: {
  title: ReactNode;
  /** A page of `docs/operating/`, without its ending. */
  docs: string;
  /** Their names in Prometheus. */
  metrics?: readonly string[];
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <PanelDocs value={docs}>{children}</PanelDocs>
      <MetricLinks metrics={metrics} docs={docs} labelledBy={id} />
    </section>
  );
}
