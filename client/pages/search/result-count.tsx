import { Phrase } from '#client/components/phrase/phrase.tsx';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import type { SearchPage } from '#shared/models/topic.ts';
import { countText } from '#shared/texts/count.ts';
import * as en from '#shared/texts/en.ts';
import { searchPath } from '#shared/urls.ts';

/** Category of a search in everything. */
const ALL = 'all';

/** Renders the number of results and the category, with a link that searches every section. */
export function ResultCount({ search, found }: { search: SearchPage; found: boolean }) {
  const t = useTexts();
  const site = useSettings();
  const { category, categories, term, pagination } = search;
  const { totalItems } = pagination;
  const name = categories.find(({ slug }) => slug === category)?.name ?? category;
  return (
    <p className="result-count">
      {found ? (
        countText(en.resultCount, totalItems, site)
      ) : (
        <Phrase text={t(en.nothingFound)}>
          <bdi>{term}</bdi>
        </Phrase>
      )}
      {category !== ALL && (
        <>
          <Phrase text={t(en.inCategory)}>
            <bdi>{name}</bdi>
          </Phrase>
          {'. '}
          <a href={searchPath(ALL, term)}>{t(en.searchEverySection)}</a>
        </>
      )}
    </p>
  );
}
