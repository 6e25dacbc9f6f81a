import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { siteApi } from '#client/api/site-api-context.ts';
import { AdSlot } from '#client/components/ad-slot/ad-slot.tsx';
import { FilterStrip } from '#client/components/filter-strip/filter-strip.tsx';
import { listPageHead } from '#client/components/pagination/list-page-head.ts';
import { Phrase } from '#client/components/phrase/phrase.tsx';
import { SearchForm } from '#client/components/search-form/search-form.tsx';
import { revealClass } from '#client/hooks/use-reveal.ts';
import { useSmoothTop } from '#client/hooks/use-smooth-top.ts';
import { useSettings, useTexts } from '#client/layout/site-context.tsx';
import { PageHead } from '#client/seo/page-head.tsx';
import type { SearchPage } from '#shared/models/topic.ts';
import * as en from '#shared/texts/en.ts';
import { pageNumber, pathSegment, searchPath } from '#shared/urls.ts';
import { NoResult } from './no-result.tsx';
import { ResultCount } from './result-count.tsx';
import { Results } from './results.tsx';
import { SearchSettings } from './search-settings.tsx';
import './search-page.css';

/** Specification, sections 2 and 9: tabs outside More, tabs in all. */
const VISIBLE_TABS = 8;
const MAX_TABS = 100;

/** The tab before those of the categories. */
const ALL = 'all';

export async function loader(args: LoaderFunctionArgs): Promise<SearchPage> {
  const { pathname, searchParams } = new URL(args.request.url);
  // The router's `params` do not distinguish a slash escaped once from one escaped twice.
  const term = pathSegment(pathname, 2) ?? '';
  return siteApi(args).search({
    category: args.params['category'] ?? '',
    term,
    page: pageNumber(searchParams.get('page')),
  });
}

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
  useSmoothTop(pagination.page);
  return (
    <div className="page search">
      <PageHead
        {...listPageHead(
          t,
          pagination.page,
          t(en.titleWithTerm, { title: heading, term }) + where,
          t(en.searchDescription, { name: site.name, where, term }),
        )}
        noIndex
      />
      <header className={revealClass('search-head', true, 1)}>
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
      {found ? <Results search={search} /> : <NoResult categories={categories} />}
      <AdSlot slot="Footer-3" ads={ads} firstOnly />
      <SearchSettings term={term} />
    </div>
  );
}
