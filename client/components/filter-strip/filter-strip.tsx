import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { useClickOutside } from '#client/hooks/use-click-outside.ts';
import { useEscape } from '#client/hooks/use-escape.ts';
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

/** A strip of links that narrow a list, the current one marked, the rest behind More. Nothing without entries. */
export function FilterStrip({ label, heading, entries, inSight, current }: FilterStripProps) {
  if (entries.length === 0) return null;
  const rest = entries.slice(inSight);
  return (
    <nav className="filter-strip" aria-label={label}>
      <ul>
        {heading && (
          <li className="filter-strip-heading" aria-disabled="true">
            {heading}
          </li>
        )}
        <KeyedList of={entries.slice(0, inSight)}>
          {(entry) => <Entry entry={entry} current={current} />}
        </KeyedList>
      </ul>
      {rest.length > 0 && <More entries={rest} current={current} />}
    </nav>
  );
}

/** The rest of a strip. A choice, a press outside and Escape close it; without scripts it stands open. */
function More({ entries, current }: Pick<FilterStripProps, 'entries' | 'current'>) {
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { key } = useLocation();
  useClickOutside(area, open, () => setOpen(false));

  useEffect(() => {
    if (key) setOpen(false);
  }, [key]);

  useEscape(open, () => {
    setOpen(false);
    button.current?.focus();
  });

  const holdsCurrent = entries.some(({ slug }) => slug === current);
  return (
    <div ref={area} className="filter-strip-more">
      <button
        ref={button}
        type="button"
        className={holdsCurrent ? 'is-current' : undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        More
      </button>
      <ul id={id} className={open ? 'is-open' : undefined}>
        <KeyedList of={entries}>{(entry) => <Entry entry={entry} current={current} />}</KeyedList>
      </ul>
    </div>
  );
}

function Entry({ entry: { slug, name, href }, current }: { entry: FilterEntry; current: string | null }) {
  return (
    <li>
      <a href={href} aria-current={slug === current ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
}
