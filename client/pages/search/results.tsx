import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { leadingWindow } from '#client/components/pagination/page-window.ts';
import { Pagination } from '#client/components/pagination/pagination.tsx';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { PostList } from '#client/components/post-list/post-list.tsx';
import { revealClass } from '#client/hooks/use-reveal.ts';
import { useTexts } from '#client/layout/site-context.tsx';
import type { SearchPage } from '#shared/models/topic.ts';
import * as en from '#shared/texts/en.ts';
import { searchPath } from '#shared/urls.ts';

/** Specification, section 9: results shown as cards; width of the list's thumbnails. */
const CARD_COUNT = 3;
const THUMBNAIL_WIDTH = 500;

/** Renders one page of results: three cards, the rest as a list, pagination. */
export function Results({ search }: { search: SearchPage }) {
  const { category, term, posts, pagination } = search;
  const { page, totalPages } = pagination;
  return (
    <>
      {posts.length === 0 && <BeyondLast category={category} term={term} />}
      <div className="search-cards">
        <CardGrid
          posts={posts.slice(0, CARD_COUNT)}
          heading="h2"
          highlight={term}
          cardClass={(index) => revealClass('search-card', true, index + 2)}
          withExcerpt
        />
      </div>
      <div className={revealClass('search-rest', true, 5)}>
        <PostList posts={posts.slice(CARD_COUNT)} width={THUMBNAIL_WIDTH} highlight={term} withExcerpt />
      </div>
      <Pagination
        page={page}
        totalPages={totalPages}
        window={leadingWindow(page, totalPages)}
        hrefOf={(number) => searchPath(category, term, number)}
      />
    </>
  );
}

function BeyondLast({ category, term }: { category: string; term: string }) {
  const t = useTexts();
  return (
    <p className="empty">
      <Phrase text={t(en.noResultsOnPage)}>
        <a href={searchPath(category, term)}>{t(en.toFirstPage)}</a>
      </Phrase>
    </p>
  );
}
