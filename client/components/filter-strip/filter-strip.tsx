import { useId, useState } from 'react';
import { Link } from 'react-router';
import './filter-strip.css';

export interface FilterEntry {
  slug: string;
  name: string;
  href: string;
}

export interface FilterStripProps {
  /** What the strip filters, for screen readers. */
  label: string;
  /** A first, disabled tab; none when absent. */
  heading?: string;
  entries: readonly FilterEntry[];
  /** How many stand in the strip; the rest is behind More. */
  inSight: number;
  current: string | null;
}

/** A strip of links that narrow a list, the current one marked, the rest behind More. */
export function FilterStrip({ label, heading, entries, inSight, current }: FilterStripProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const rest = entries.slice(inSight);
  return (
    <nav className="filter-strip" aria-label={label}>
      <ul>
        {heading && (
          <li className="filter-strip-heading" aria-disabled="true">
            {heading}
          </li>
        )}
        {entries.slice(0, inSight).map((entry) => (
          <Entry key={entry.slug} entry={entry} current={current} />
        ))}
        {rest.length > 0 && (
          <li>
            <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              More
            </button>
          </li>
        )}
      </ul>
      {rest.length > 0 && (
        <ul id={id} className={`filter-strip-rest${open ? ' is-open' : ''}`}>
          {rest.map((entry) => (
            <Entry key={entry.slug} entry={entry} current={current} />
          ))}
        </ul>
      )}
    </nav>
  );
}

function Entry({ entry: { slug, name, href }, current }: { entry: FilterEntry; current: string | null }) {
  return (
    <li>
      <Link to={href} aria-current={slug === current ? 'page' : undefined}>
        {name}
      </Link>
    </li>
  );
}
