import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { searchPath } from '#shared/urls.ts';

/**
 * Renders the search box, behind a button where space is short. Without JavaScript the form requests `/search?term=`,
 * which redirects to `/search/all/{term}`.
 */
export function SearchBox() {
  const navigate = useNavigate();
  const { key } = useLocation();
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    if (key) setOpen(false);
  }, [key]);

  function toggle() {
    setOpen(!open);
    if (!open) requestAnimationFrame(() => field.current?.focus());
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const term = field.current?.value.trim();
    if (term) void navigate(searchPath('all', term));
  }

  return (
    <search className={`header-search${open ? ' is-open' : ''}`}>
      <button
        type="button"
        className="header-search-button"
        aria-expanded={open}
        aria-controls={id}
        onClick={toggle}
      >
        <SearchIcon />
        <span className="visually-hidden">Search</span>
      </button>
      <form id={id} className="header-search-form" action="/search" method="get" onSubmit={submit}>
        <input
          ref={field}
          type="search"
          name="term"
          aria-label="Search the site"
          placeholder="Search"
          maxLength={200}
          enterKeyHint="search"
          autoComplete="off"
        />
        <button type="submit" className="header-search-submit">
          <SearchIcon />
          <span className="visually-hidden">Go</span>
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
