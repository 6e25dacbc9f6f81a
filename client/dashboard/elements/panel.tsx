import { type ReactNode, type Ref, useId } from 'react';
import { Link } from 'react-router';
import { SectionHeading } from './explained.tsx';
import { docsOfMetric, docsSection } from './explanations.ts';

export interface PanelProps {
  title: string;
  /** The heading of its section in `docs/operating/dashboard.md`. Default: the title. */
  section?: string;
  /** Stands beside the title. */
  note?: string;
  className?: string;
  /** The heading can have the focus. */
  headingRef?: Ref<HTMLHeadingElement> | undefined;
  children?: ReactNode;
}

/** Renders a section with its heading, what its docs say first, the Prometheus names of its metrics, and a link to its docs. */
export function Panel({ title, section = title, note, className = '', headingRef, children }: PanelProps) {
  const id = useId();
  const { intro } = docsSection(section);
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <h2 id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {title} {note && <span>{note}</span>}
      </h2>
      {intro && <p className="about">{intro}</p>}
      <SectionHeading value={section}>{children}</SectionHeading>
      <MetricLinks section={section} labelledBy={id} />
    </section>
  );
}

/** Shows the Prometheus names of a panel's metrics, and links to its section of the docs. `labelledBy`: the panel's heading. */
export function MetricLinks({ section, labelledBy }: { section: string; labelledBy: string }) {
  const { metrics, address } = docsSection(section);
  return (
    <p className="metric-names">
      {metrics.map((metric) => (
        <Link key={metric} to={docsOfMetric(metric)}>
          <code>{metric}</code>
        </Link>
      ))}
      <Link to={address} aria-describedby={labelledBy}>
        Docs
      </Link>
    </p>
  );
}
