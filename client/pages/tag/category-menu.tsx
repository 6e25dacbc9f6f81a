import type { MouseEvent } from 'react';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
import { scrollBelow } from '#client/routing/scroll-below-header.ts';
import { sectionOf } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';

/** Where a section is scrolled to, below the sticky bar (specification: about 68 to 90). */
const OFFSET_PX = 80;

const SECTIONS = [
  { id: 'news', section: 'news', onceLoaded: true },
  { id: 'articles', section: 'featured', onceLoaded: true },
  { id: 'quick-bytes', section: 'quickbytes', onceLoaded: true },
  { id: 'podcast', section: 'podcasts', onceLoaded: false },
  { id: 'hot-seats', section: 'interview', onceLoaded: false },
  { id: 'future-ready', section: 'future-ready', onceLoaded: false },
  { id: 'guest-author', section: 'guest-author', onceLoaded: false },
  { id: 'learning-center', section: 'learning-center', onceLoaded: false },
];

/**
 * Renders the Category menu of the page's sections at the right edge, a popover. Three of its links are added after
 * hydration (specification).
 */
export function CategoryMenu() {
  const t = useTexts();
  const hydrated = useHydrated();
  const { sections } = useSettings();

  function follow(event: MouseEvent, id: string) {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const section = document.getElementById(id);
    if (section) {
      showSection(section);
      // Narrow: it covers the heading.
      if (matchMedia('(width < 64em)').matches) event.currentTarget.closest('nav')?.hidePopover();
    } else window.alert(t(en.noSection));
  }

  return (
    <div className="category-menu">
      <PopoverButton opens="category-links">{t(en.category)}</PopoverButton>
      <nav id="category-links" popover="auto" aria-label={t(en.sectionsOfPage)}>
        <ul>
          {SECTIONS.map(({ id, section, onceLoaded }) => {
            const found = sectionOf(sections, section);
            if (!found || (onceLoaded && !hydrated)) return null;
            return (
              <li key={id}>
                <a href={`#${id}`} onClick={(event) => follow(event, id)}>
                  {found.titles?.tag ?? found.label}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
    </div>
  );
}

/** Scrolls to a section, and moves the focus to its heading, as the browser does for a link within the page. */
function showSection(section: HTMLElement): void {
  const heading = section.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  scrollBelow(section, OFFSET_PX);
}
