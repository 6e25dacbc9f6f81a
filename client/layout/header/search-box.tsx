import { useLocation } from 'react-router';
import { PopoverButton } from '#client/components/popover-button/popover-button.tsx';
import { SearchField, useSearchSubmit } from '#client/components/search-form/search-form.tsx';
import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { pathSegment } from '#shared/urls.ts';

/**
 * Renders the search box, behind a button where space is short; hidden where a page has a search form (`header.css`). Without
 * JavaScript the form requests `/search?term=`, which redirects to `/search/all/{term}`.
 */
export function SearchBox() {
  const t = useTexts();
  const { pathname } = useLocation();
  const term = pathname.startsWith('/search/') ? (pathSegment(pathname, 2) ?? '') : '';

  return (
    <search className="header-search">
      <PopoverButton opens="search" className="header-search-button">
        <SearchIcon />
        <span className="visually-hidden">{t(en.search)}</span>
      </PopoverButton>
      <form
        id="search"
        className="header-search-form"
        action="/search"
        method="get"
        popover="auto"
        onSubmit={useSearchSubmit()}
      >
        <SearchField term={term} />
        <button type="submit" className="header-search-submit">
          <SearchIcon />
          <span className="visually-hidden">{t(en.go)}</span>
        </button>
        <button
          type="button"
          className="header-search-close"
          popoverTarget="search"
          popoverTargetAction="hide"
        >
          {t(en.close)}
        </button>
      </form>
    </search>
  );
}

function SearchIcon() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="m13 13 5 5" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  );
}
