import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { scrollBelow } from '#client/hooks/scroll-below.ts';
import { useClickOutside } from '#client/hooks/use-click-outside.ts';

/** What stands below the fixed header, in pixels (specification: about 68 to 90). */
const OFFSET_PX = 80;

/** What the specification has a reader told when a section is not on the page (sic). */
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

/** The tab at the right edge: a menu of the page's sections. Three of its links appear once the page has loaded in the browser. */
export function CategoryMenu() {
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => setLoaded(true), []);
  useClickOutside(menu, open, () => setOpen(false));

  function follow(event: MouseEvent, id: string) {
    event.preventDefault();
    const section = document.getElementById(id);
    if (section) scrollBelow(section, OFFSET_PX);
    else window.alert(NO_SECTION);
  }

  return (
    <div ref={menu} className="category-menu">
      <button
        type="button"
        aria-expanded={open}
        aria-controls="category-links"
        onClick={() => setOpen(!open)}
      >
        Category
      </button>
      <nav id="category-links" className={open ? 'is-open' : undefined} aria-label="Sections of this page">
        <ul>
          {SECTIONS.filter(({ onceLoaded }) => loaded || !onceLoaded).map(({ id, name }) => (
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
