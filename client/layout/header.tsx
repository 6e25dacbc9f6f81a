import { useRef } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useScrolledPast } from '#client/hooks/use-scrolled-past.ts';
import type { Navigation } from '#shared/models/navigation.ts';
import { site } from '#shared/site.ts';
import { eventsPath } from '#shared/urls.ts';
import { MenuPanel } from './menu-panel.tsx';
import { SearchBox } from './search-box.tsx';
import { SubscribeLink } from './subscribe-link.tsx';
import { Today } from './today.tsx';
import { useMenus } from './use-menus.ts';
import { Wordmark } from './wordmark.tsx';
import './header.css';

/** Scrolled further, the header is condensed to one bar. In CSS pixels. */
const MASTHEAD_HEIGHT = 140;

/** Renders the header of every page: date and Subscribe, the masthead, the bar with menus and search. */
export function Header() {
  const navigation = useRouteLoaderData<Navigation>('root');
  const header = useRef<HTMLElement>(null);
  const { open, toggle, sheetOpen, toggleSheet } = useMenus(header);
  const condensed = useScrolledPast(MASTHEAD_HEIGHT);
  return (
    <header
      ref={header}
      className={`header${condensed ? ' is-condensed' : ''}${sheetOpen ? ' is-sheet-open' : ''}`}
    >
      <div className="header-top page">
        <Today />
        <SubscribeLink className="header-subscribe" />
      </div>
      <div className="header-masthead page">
        <a href="/" className="header-home" aria-label={`${site.name}, home page`}>
          <Wordmark />
        </a>
        <p className="header-tagline">{site.tagline}</p>
      </div>
      <div className="header-bar">
        <div className="header-bar-inner page">
          <a href="/" className="header-bar-home" aria-label={site.name} inert={!condensed}>
            <Wordmark />
          </a>
          <button
            type="button"
            className="header-sheet-button"
            aria-expanded={sheetOpen}
            aria-controls="menus"
            onClick={toggleSheet}
          >
            Menu
          </button>
          <nav id="menus" className="menus" aria-label="Main">
            <ul className="menus-list">
              {navigation?.menus.map((menu) => (
                <li key={menu.name} className="menus-item">
                  <button
                    type="button"
                    className="menus-button"
                    aria-expanded={open === menu.name}
                    aria-controls={`menu-${menu.name}`}
                    onClick={() => toggle(menu.name)}
                  >
                    {menu.name}
                  </button>
                  <MenuPanel menu={menu} open={open === menu.name} />
                </li>
              ))}
              <li className="menus-item">
                <a href={eventsPath('all')}>Events</a>
              </li>
              <li className="menus-item">
                <a href="/contact-us">Contact Us</a>
              </li>
            </ul>
          </nav>
          <SearchBox />
        </div>
      </div>
    </header>
  );
}
