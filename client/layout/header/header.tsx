import { useEffect } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { Wordmark } from '#client/components/logo/logo.tsx';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { SubscribeLink } from '#client/layout/subscribe-link.tsx';
import * as en from '#shared/texts/en.ts';
import { Menus } from './menus.tsx';
import { SearchBox } from './search-box.tsx';
import './header.css';
import { formatDate } from '#shared/dates.ts';

/**
 * Renders the header of every page: wordmark, menus, search and Subscribe in one bar; on the home page below the date and
 * the masthead. Menus, the sheet that holds them on phones, and the search box are popovers: they work without JavaScript.
 */
export function Header() {
  const t = useTexts();
  const site = useSettings();
  const { pathname, key } = useLocation();
  const { state } = useNavigation();
  const isHome = pathname === '/';
  const page = state === 'idle' ? key : state;

  // When a navigation starts, and when it has ended without a load.
  useEffect(() => {
    if (page) return closeOverlays;
  }, [page]);

  return (
    <header className={`header${isHome ? ' is-home' : ''}`}>
      <div className="header-inner page">
        {isHome && (
          <>
            <Today />
            <div className="header-masthead">
              <a href="/" aria-label={t(en.homePageOf, { name: site.name })}>
                <Wordmark />
              </a>
              <p className="header-tagline">{site.tagline}</p>
            </div>
          </>
        )}
        <a href="/" className="header-home" aria-label={site.name}>
          <Wordmark />
        </a>
        <Menus />
        <div className="header-tools">
          <SearchBox />
          <SubscribeLink className="header-subscribe" />
          <PopoverButton opens="menus" className="header-menu-button">
            {t(en.menu)}
          </PopoverButton>
        </div>
      </div>
    </header>
  );
}

/** Those of pages too, and the Subscribe dialog, whose links navigate the page behind it. */
function closeOverlays(): void {
  for (const popover of document.querySelectorAll<HTMLElement>('[popover]')) popover.hidePopover();
  document.querySelector('dialog')?.close();
}

/** Renders today's date where the reader is, in the browser alone: cached pages are the same on every day. */
export function Today() {
  const t = useTexts();
  const show = (line: HTMLElement | null) => {
    const now = new Date();
    // The local time as one of UTC, which `toISOString` writes.
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
    if (line) line.textContent = formatDate(en.longDate, local.toISOString(), t);
  };
  return <p className="header-date" ref={show} />;
}
