import { type ReactNode, type Ref, useId } from 'react';
import { SectionHeading } from './explained.tsx';
import { docsSection } from './explanations.ts';
import { MetricLinks } from './metric-links.tsx';

/** Renders a section with its heading, what its docs say first, the Prometheus names of its metrics, and a link to its docs. */
export function Panel({
  title,
  section = title,
  note,
  className = '',
  headingRef,
  children,
}: {
  title: string;
  /** The heading of its section in `docs/operating/dashboard.md`. */
  section?: string;
  /** Stands beside the title. */
  note?: string;
  className?: string;
  /** The heading can have the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}) {
  const id = useId();
  const intro = docsSection(section)?.intro;
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <h2 id={id} ref={headingRef} tabIndex={headingRef === undefined ? undefined : -1}>
        {title} {note && <span>{note}</span>}
      </h2>
      {intro && <p className="about">{intro}</p>}
      <SectionHeading value={section}>{children}</SectionHeading>
      <MetricLinks section={section} labelledBy={id} />
    </section>
  );
}
