import { useEffect, useRef } from 'react';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
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

/** Renders links that filter a list, the current one in view; those beyond `visibleCount` are behind More. Nothing without entries. */
export function FilterStrip({ label, heading, entries, visibleCount, current }: FilterStripProps) {
  const list = useRef<HTMLUListElement>(null);

  // The strip scrolls by itself on phones. `scrollIntoView` would move the page too.
  useEffect(() => {
    const row = list.current;
    const link = current === null ? null : row?.querySelector<HTMLElement>('[aria-current]');
    if (!row || !link) return;
    const { left, width } = link.getBoundingClientRect();
    const { left: start, width: shown } = row.getBoundingClientRect();
    row.scrollLeft += left - start - (shown - width) / 2;
  }, [current]);

  if (entries.length === 0) return null;
  const rest = entries.slice(visibleCount);
  return (
    <nav className="filter-strip" aria-label={label}>
      <ul ref={list}>
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
  const t = useTexts();
  const hasCurrent = entries.some(({ slug }) => slug === current);
  return (
    <div className="filter-strip-more">
      <PopoverButton opens="more-filters" className={hasCurrent ? 'is-current' : undefined}>
        {t(en.more)}
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
