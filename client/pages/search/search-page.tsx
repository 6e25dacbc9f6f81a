import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { SearchPage } from '#shared/models/topic.ts';
import { pageNumber, pathSegment, searchPath } from '#shared/urls.ts';
import { AdSlot } from '../../components/ad-slot/ad-slot.tsx';
import { FilterStrip } from '../../components/filter-strip/filter-strip.tsx';
import { leadingWindow } from '../../components/pagination/page-window.ts';
import { Pagination } from '../../components/pagination/pagination.tsx';
import { PostCard } from '../../components/post-card/post-card.tsx';
import { PostList } from '../../components/post-list/post-list.tsx';
import { useLoadedSteps } from '../../effects/use-loaded-steps.ts';
import { useSmoothTop } from '../../effects/use-smooth-top.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { siteApi } from '../../site-api-context.ts';
import './search-page.css';

/** Specification, section 9: tabs in sight, tabs in all, results that stand as cards. */
const TABS_IN_SIGHT = 8;
const TABS_AT_MOST = 100;
const CARDS = 3;

export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<SearchPage> {
  const { pathname, searchParams } = new URL(request.url);
  // The router's own params do not tell an escaped slash from one that was escaped twice.
  const term = pathSegment(pathname, 2) ?? '';
  return siteApi(context).search({
    category: params['category'] ?? '',
    term,
    page: pageNumber(searchParams.get('page')),
  });
}

/** Search results (specification, section 2, Search). */
export function Page() {
  const { category, term, posts, pagination, categories, ads } = useLoaderData<typeof loader>();
  const { page, totalItems, totalPages } = pagination;
  const steps = useLoadedSteps({ threshold: 100, stepMs: 40, onMountStepMs: 40 });
  const risen = (step: number) => (steps >= step ? ' loaded' : '');
  const heading = totalItems === 0 ? 'No Result For Your Search' : `Search Result : ${term}`;
  useSmoothTop(page);
  return (
    <div className="page search">
      <PageHead title={heading} description={heading} noIndex />
      <h1 className={`search-heading${risen(1)}`}>{heading}</h1>
      <FilterStrip
        label="Categories"
        entries={categories
          .slice(0, TABS_AT_MOST)
          .map(({ slug, name }) => ({ slug, name, href: searchPath(slug, term) }))}
        inSight={TABS_IN_SIGHT}
        current={category}
      />
      <div className={`search-cards${risen(2)}`}>
        {posts.slice(0, CARDS).map((post) => (
          <PostCard
            key={post.id}
            post={post}
            heading="h2"
            marked={term}
            picture={{ width: 500, widths: [200, 300, 500, 700], sizes: '(min-width: 768px) 400px, 100vw' }}
            withExcerpt
          />
        ))}
      </div>
      <div className={`search-rest${risen(3)}`}>
        <PostList posts={posts.slice(CARDS)} width={500} marked={term} withExcerpt />
      </div>
      <Pagination
        page={page}
        totalPages={totalPages}
        window={leadingWindow(page, totalPages)}
        hrefOf={(number) => searchPath(category, term, number)}
      />
      <AdSlot slot="Footer-3" ads={ads} firstOnly />
    </div>
  );
}
