import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { enteredSearchTerm, MAX_SEARCH_TERM_LENGTH, searchPath } from '#shared/urls.ts';
import './search-form.css';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * Renders a large search form, for pages that are about searching; the header leaves out its own there. Without JavaScript
 * the form requests `/search?term=`, which redirects.
 */
export function SearchForm({ term = '' }: { term?: string }) {
  const t = useTexts();
  return (
    <search className="search-form">
      <form action="/search" method="get" onSubmit={useSearchSubmit()}>
        <SearchField term={term} />
        <button type="submit" className="button">
          {t(en.search)}
        </button>
      </form>
    </search>
  );
}

/** Renders the field of a search form. It follows the page's `term`, and keeps what is typed on the page. */
export function SearchField({ term }: { term: string }) {
  const t = useTexts();
  return (
    <input
      key={term}
      type="search"
      name="term"
      defaultValue={term}
      dir="auto"
      aria-label={t(en.searchTheSite)}
      placeholder={t(en.search)}
      maxLength={MAX_SEARCH_TERM_LENGTH}
      enterKeyHint="search"
      autoComplete="off"
    />
  );
}

/** Returns the handler of a search form: it goes to the results of the term, and nowhere with an empty one. */
export function useSearchSubmit() {
  const navigate = useNavigate();
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const term = enteredSearchTerm(String(new FormData(event.currentTarget).get('term')));
    if (!term) return;
    const path = searchPath('all', term);
    const { pathname, search } = window.location;
    // As browsers do: the same address is no new entry of the history.
    void navigate(path, { replace: path === pathname + search });
  };
}
