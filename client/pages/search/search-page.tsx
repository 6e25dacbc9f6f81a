import { redirect, useLoaderData } from 'react-router';
import type { PageLoader } from '#client/api/page-loader.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { CardGrid } from '#client/components/card-grid/card-grid.tsx';
import { FilterStrip } from '#client/components/filter-strip/filter-strip.tsx';
import { KeyedList } from '#client/components/keyed-list/keyed-list.tsx';
import { Logo } from '#client/components/logo/logo.tsx';
import { leadingWindow, Pagination } from '#client/components/pagination/pagination.tsx';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { PostList } from '#client/components/post-list/post-list.tsx';
import { RecentPosts } from '#client/components/recent-posts/recent-posts.tsx';
import { SearchForm } from '#client/components/search-form/search-form.tsx';
import { revealClass } from '#client/hooks/use-reveal.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { Category, SearchPage } from '#shared/models/topic.ts';
import * as en from '#shared/texts/en.ts';
import { countText } from '#shared/texts/translate.ts';
import { searchPath, topicPath } from '#shared/urls.ts';
import './search-page.css';

/** Specification, sections 2 and 9: tabs outside More, tabs in all, results shown as cards, width of the list's thumbnails. */
const VISIBLE_TABS = 8;
const MAX_TABS = 100;
const CARD_COUNT = 3;
const THUMBNAIL_WIDTH = 500;

/** Category of a search in everything: the tab before those of the categories. */
const ALL = 'all';

export const loader: PageLoader<SearchPage> = async ({ api, params: { category = '', term = '' }, page }) => {
  if (term.trim() === '') throw redirect('/');
  return api.search({ category, term, page });
};

/** Renders search results (specification, section 2, Search). */
export function Page() {
  const t = useTexts();
  const site = useSettings();
  const search = useLoaderData<typeof loader>();
  const { category, term, posts, pagination, categories, ads } = search;
  // An upstream may count items that it does not send.
  const found = pagination.totalItems > 0 && (posts.length > 0 || pagination.page > 1);
  const heading = t(found ? en.searchResult : en.noResult);
  const where = category === ALL ? '' : t(en.inCategory, { category });
  return (
    <div className="page search">
      <PageHead
        title={t(en.titleWithTerm, { title: heading, term }) + where}
        description={t(en.searchDescription, { name: site.name, where, term })}
        page={pagination.page}
        noIndex
      />
      <header className={revealClass('search-head', 1)}>
        <SearchForm term={term} />
        <h1>
          {found ? (
            <Phrase text={t(en.titleWithTerm, { title: heading, term: '{term}' })}>
              <bdi>{term}</bdi>
            </Phrase>
          ) : (
            heading
          )}
        </h1>
        <ResultCount search={search} found={found} />
      </header>
      <FilterStrip
        label={t(en.categories)}
        entries={[
          { slug: ALL, name: t(en.all) },
          ...categories.filter(({ slug }) => slug !== ALL).slice(0, MAX_TABS),
        ].map(({ slug, name }) => ({ slug, name, href: searchPath(slug, term) }))}
        visibleCount={VISIBLE_TABS + 1}
        current={category}
      />
      {/* The key replaces cards whose highlighted words change: see `Phrase`. */}
      {found ? <Results key={term} search={search} /> : <NoResult categories={categories} />}
      <AdSlot slot="Footer-3" ads={ads.slice(0, 1)} />
    </div>
  );
}

/** Renders the number of results and the category, with a link that searches every section. */
function ResultCount({ search, found }: { search: SearchPage; found: boolean }) {
  const t = useTexts();
  const site = useSettings();
  const { category, categories, term, pagination } = search;
  const { totalItems } = pagination;
  const name = categories.find(({ slug }) => slug === category)?.name ?? category;
  return (
    <p className="result-count">
      {found ? (
        <span>{countText(en.resultCount, totalItems, site)}</span>
      ) : (
        <Phrase text={t(en.nothingFound)}>
          <bdi>{term}</bdi>
        </Phrase>
      )}
      {category !== ALL && (
        <span>
          <Phrase text={t(en.inCategory)}>
            <bdi>{name}</bdi>
          </Phrase>
          {'. '}
          <a href={searchPath(ALL, term)}>{t(en.searchEverySection)}</a>
        </span>
      )}
    </p>
  );
}

/** Renders one page of results: three cards, the rest as a list, pagination. */
function Results({ search }: { search: SearchPage }) {
  const t = useTexts();
  const { category, term, posts, pagination } = search;
  return (
    <>
      {posts.length === 0 && (
        <p className="empty">
          <Phrase text={t(en.noResultsOnPage)}>
            <a href={searchPath(category, term)}>{t(en.toFirstPage)}</a>
          </Phrase>
        </p>
      )}
      <div className="search-cards">
        <CardGrid
          posts={posts.slice(0, CARD_COUNT)}
          heading="h2"
          highlight={term}
          cardClass={(index) => revealClass('search-card', index + 2)}
          withExcerpt
        />
      </div>
      <div className={revealClass('search-rest', 5)}>
        <PostList posts={posts.slice(CARD_COUNT)} width={THUMBNAIL_WIDTH} highlight={term} />
      </div>
      <Pagination
        pagination={pagination}
        window={leadingWindow}
        hrefOf={(number) => searchPath(category, term, number)}
      />
    </>
  );
}

/** Renders the empty state of a search: hints, the topics, and recent articles. */
function NoResult({ categories }: { categories: readonly Category[] }) {
  const t = useTexts();
  return (
    <>
      <div className="status-page search-none">
        <Logo />
        <p>{t(en.searchHints)}</p>
        <ul className="search-topics">
          <KeyedList items={categories}>
            {({ slug, name }) => (
              <li>
                <a href={topicPath(slug)} dir="auto">
                  {name}
                </a>
              </li>
            )}
          </KeyedList>
        </ul>
      </div>
      <RecentPosts />
    </>
  );
}
