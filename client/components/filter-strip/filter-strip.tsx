import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
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

/** Renders links that filter a list; those beyond `visibleCount` are behind More. Nothing without entries. */
export function FilterStrip({ label, heading, entries, visibleCount, current }: FilterStripProps) {
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
      {rest.length > 0 && <More entries={rest} current={current} />}
    </nav>
  );
}

/** Renders More: a popover, which works before hydration and without JavaScript. A navigation closes it (`header.tsx`). */
function More({ entries, current }: Pick<FilterStripProps, 'entries' | 'current'>) {
  const hasCurrent = entries.some(({ slug }) => slug === current);
  return (
    <div className="filter-strip-more">
      <PopoverButton opens="more-filters" className={hasCurrent ? 'is-current' : undefined}>
        More
      </PopoverButton>
      <ul id="more-filters" popover="auto">
        <KeyedList items={entries}>{(entry) => <Entry entry={entry} current={current} />}</KeyedList>
      </ul>
    </div>
  );
}

function Entry({ entry: { slug, name, href }, current }: { entry: FilterEntry; current: string | null }) {
  return (
    <li>
      <a href={href} dir="auto" aria-current={slug === current ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
}
