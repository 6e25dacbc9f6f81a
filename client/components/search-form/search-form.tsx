import { useTexts } from '#client/layout/site-context.tsx';
import * as en from '#shared/texts/en.ts';
import { MAX_SEARCH_TERM_LENGTH } from '#shared/urls.ts';
import { useSearchSubmit } from './use-search-submit.ts';
import './search-form.css';

/**
 * Renders a large search form, for pages that are about searching; the header leaves out its own there. Without JavaScript
 * the form requests `/search?term=`, which redirects.
 */
export function SearchForm({ term = '' }: { term?: string }) {
  const t = useTexts();
  return (
    <search className="search-form">
      <form action="/search" method="get" onSubmit={useSearchSubmit()}>
        <input
          // The field follows the page, and keeps what is typed on it.
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
        <button type="submit" className="button">
          {t(en.search)}
        </button>
      </form>
    </search>
  );
}
