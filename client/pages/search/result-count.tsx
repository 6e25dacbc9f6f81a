import type { SearchPage } from '#shared/models/topic.ts';
import { searchPath } from '#shared/urls.ts';

/** The category of a search through everything (where the header's search box leads). */
const ALL = 'all';

/** How much was found and where, and the way to search everything from within one category. */
export function ResultCount({ search }: { search: SearchPage }) {
  const { category, categories, term, pagination } = search;
  const { totalItems } = pagination;
  const name = categories.find(({ slug }) => slug === category)?.name ?? category;
  return (
    <p className="result-count">
      {totalItems > 0 && `${totalItems} ${totalItems === 1 ? 'piece' : 'pieces'}`}
      {totalItems === 0 && `Nothing was found for “${term}”`}
      {category !== ALL && (
        <>
          {` in ${name}. `}
          <a href={searchPath(ALL, term)}>Search every section</a>
        </>
      )}
    </p>
  );
}
