import type { SearchPage } from '#shared/models/topic.ts';
import { searchPath } from '#shared/urls.ts';

/** Category of a search in everything. */
const ALL = 'all';

/** Renders the number of results and the category, with a link that searches every section. */
export function ResultCount({ search, found }: { search: SearchPage; found: boolean }) {
  const { category, categories, term, pagination } = search;
  const { totalItems } = pagination;
  const name = categories.find(({ slug }) => slug === category)?.name ?? category;
  return (
    <p className="result-count">
      {found ? (
        `${totalItems} ${totalItems === 1 ? 'piece' : 'pieces'}`
      ) : (
        <>
          Nothing was found for “<bdi>{term}</bdi>”
        </>
      )}
      {category !== ALL && (
        <>
          {' in '}
          <bdi>{name}</bdi>
          {'. '}
          <a href={searchPath(ALL, term)}>Search every section</a>
        </>
      )}
    </p>
  );
}
