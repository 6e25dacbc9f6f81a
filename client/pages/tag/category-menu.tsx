import type { MouseEvent } from 'react';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { isPlainClick } from '#client/routing/page-link.ts';
import { scrollBelow } from '#client/routing/scroll-below-header.ts';
import { type Section, sectionOf } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';

/** Where a section is scrolled to, below the sticky bar (specification: about 68 to 90). */
const OFFSET_PX = 80;

/** Ids of the page's sections by category slug, in the order of the menu. */
export const SECTION_IDS = {
  news: 'news',
  featured: 'articles',
  quickbytes: 'quick-bytes',
  podcasts: 'podcast',
  interview: 'hot-seats',
  'future-ready': 'future-ready',
  'guest-author': 'guest-author',
  'learning-center': 'learning-center',
};
const ADDED_BY_HYDRATION = ['news', 'featured', 'quickbytes'];

/** Returns what the page and the menu call a section. */
export const titleOf = ({ label, titles }: Section) => titles?.tag ?? label;

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
          {Object.entries(SECTION_IDS).map(([slug, id]) => {
            const section = sectionOf(sections, slug);
            if (!section || (!hydrated && ADDED_BY_HYDRATION.includes(slug))) return null;
            return (
              <li key={id}>
                <a href={`#${id}`} onClick={(event) => follow(event, id)}>
                  {titleOf(section)}
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
