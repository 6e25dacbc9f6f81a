import { useEffect, useState } from 'react';
import { useTexts } from '#client/layout/site-context.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
import { scrollBelow } from '#client/routing/scroll-below-header.ts';
import type { Heading } from '#shared/models/article.ts';
import * as en from '#shared/texts/en.ts';

/** The list is fixed from here on (specification, section 9), and so not shown before. In pixels. */
const FIXED_AFTER = 400;
/** Distance of the heading from the viewport's top after the scroll, in pixels (specification, section 9). */
const OFFSET = 125;

/**
 * Renders the collapsible table of contents: beside the text, or in a bar below the header's. It shows once the article's
 * head is out of view and the page is scrolled by more than 400 pixels; without JavaScript it is open.
 */
export function ContentsList({ headings }: { headings: readonly Heading[] }) {
  const t = useTexts();
  const isShown = useScrolledPastHead();
  const [open, setOpen] = useState(false);
  if (headings.length === 0) return null;

  /** The router changes the hash and the focus, as for every link within the page. */
  function follow(id: string) {
    setOpen(false);
    const heading = document.getElementById(id);
    if (heading) scrollBelow(heading, OFFSET);
  }

  return (
    <nav className={isShown ? 'contents is-shown' : 'contents'} aria-label={t(en.contents)}>
      <button
        type="button"
        className="contents-button"
        aria-expanded={open}
        aria-controls="contents-entries"
        onClick={() => setOpen(!open)}
      >
        {t(en.tableOfContents)}
      </button>
      <ol id="contents-entries" className={open ? 'contents-entries is-open' : 'contents-entries'}>
        {headings.map(({ id, text, level, number }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`} dir="auto" onClick={(event) => isPlainClick(event) && follow(id)}>
              {number !== null && <span className="contents-number">{number} </span>}
              {text}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns whether the article's head is above the viewport, and the page is scrolled further than `FIXED_AFTER`. */
function useScrolledPastHead(): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const head = document.querySelector('.article-head');
    const update = () =>
      setPast(window.scrollY > FIXED_AFTER && (head?.getBoundingClientRect().bottom ?? 0) < 0);
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return past;
}
