import type { MouseEvent } from 'react';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useHydrated } from '#client/hooks/use-hydrated.ts';
import { scrollBelow } from '#client/routing/scroll-below-header.ts';

/** Where a section is scrolled to, below the sticky bar (specification: about 68 to 90). */
const OFFSET_PX = 80;

/** Alert for a section that is not on the page (specification, sic). */
const NO_SECTION = 'Nohing is there!!!...';

const SECTIONS = [
  { id: 'news', name: 'News', onceLoaded: true },
  { id: 'articles', name: 'Articles', onceLoaded: true },
  { id: 'quick-bytes', name: 'Quick Bytes', onceLoaded: true },
  { id: 'podcast', name: 'Podcast', onceLoaded: false },
  { id: 'hot-seats', name: 'Hot Seats', onceLoaded: false },
  { id: 'future-ready', name: 'Future Ready', onceLoaded: false },
  { id: 'guest-author', name: 'Guest Author', onceLoaded: false },
  { id: 'learning-center', name: 'Learning Center', onceLoaded: false },
];

/**
 * Renders the Category menu of the page's sections at the right edge, a popover. Three of its links are added after
 * hydration (specification).
 */
export function CategoryMenu() {
  const hydrated = useHydrated();

  function follow(event: MouseEvent, id: string) {
    event.preventDefault();
    const section = document.getElementById(id);
    if (section) showSection(section);
    else window.alert(NO_SECTION);
  }

  return (
    <div className="category-menu">
      <PopoverButton opens="category-links">Category</PopoverButton>
      <nav id="category-links" popover="auto" aria-label="Sections of this page">
        <ul>
          {SECTIONS.filter(({ onceLoaded }) => hydrated || !onceLoaded).map(({ id, name }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={(event) => follow(event, id)}>
                {name}
              </a>
            </li>
          ))}
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
