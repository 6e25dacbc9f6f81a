import { useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { useClickOutside } from '#client/hooks/use-click-outside.ts';
import { useEscape } from '#client/hooks/use-escape.ts';
import './filter-strip.css';

interface FilterEntry {
  slug: string;
  name: string;
  href: string;
}

interface FilterStripProps {
  /** Accessible name of the strip. */
  label: string;
  /** Text before the first entry. */
  heading?: string;
  entries: readonly FilterEntry[];
  /** How many links are shown outside the More menu. */
  visibleCount: number;
  /** Slug of the current entry. */
  current: string | null;
}

/** Renders links that filter a list; those beyond `visibleCount` go into a disclosure (More). Nothing without entries. */
export function FilterStrip({ label, heading, entries, visibleCount, current }: FilterStripProps) {
  const { key } = useLocation();
  if (entries.length === 0) return null;
  const rest = entries.slice(visibleCount);
  return (
    <nav className="filter-strip" aria-label={label}>
      <ul>
        {heading && (
          <li className="filter-strip-heading" aria-disabled="true">
            {heading}
          </li>
        )}
        <KeyedList items={entries.slice(0, visibleCount)}>
          {(entry) => <Entry entry={entry} current={current} />}
        </KeyedList>
      </ul>
      {rest.length > 0 && <More key={key} entries={rest} current={current} />}
    </nav>
  );
}

/**
 * Renders the More disclosure. A navigation, a click outside and Escape close it; without JavaScript it is open.
 */
function More({ entries, current }: Pick<FilterStripProps, 'entries' | 'current'>) {
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useClickOutside(area, open, () => setOpen(false));

  useEscape(open, () => {
    setOpen(false);
    button.current?.focus();
  });

  const hasCurrent = entries.some(({ slug }) => slug === current);
  return (
    <div ref={area} className="filter-strip-more">
      <button
        ref={button}
        type="button"
        className={hasCurrent ? 'is-current' : undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        More
      </button>
      <ul id={id} className={open ? 'is-open' : undefined}>
        <KeyedList items={entries}>{(entry) => <Entry entry={entry} current={current} />}</KeyedList>
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
