import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { searchPath } from '#shared/urls.ts';

/** Returns the handler of a search form: it goes to the results of the term, and nowhere with an empty one. */
export function useSearchSubmit() {
  const navigate = useNavigate();
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const term = String(new FormData(event.currentTarget).get('term')).trim();
    if (term) void navigate(searchPath('all', term));
  };
}
