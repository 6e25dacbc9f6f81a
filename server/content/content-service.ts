import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { AdSlot, Advertisement } from '#shared/models/advertisement.ts';
import type { Category } from '#shared/models/topic.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { CacheQueries } from './cache-queries.ts';
import { createDeadline } from './deadline.ts';
import { headline, postHead } from './headlines.ts';
import { createNavigation } from './navigation.ts';
import { primaryResource } from './primary-resource.ts';
import { rejectImpossibleSlugs, rejectTooLong } from './slug-filter.ts';

const TOPIC_PAGE_SIZE = 10;
const SEARCH_PAGE_SIZE = 100;

/** Returns the rule of a list that always exists: 404 is a failure of its first page, and the absence of a further one. */
function isPageBeyondTheLast(page: number): (error: UpstreamError) => boolean {
  return ({ kind }) => kind === 'not-found' && page > 1;
}

export interface ContentServiceDeps {
  upstream: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  /** How long slow upstream calls may delay one response, in milliseconds. */
  deadlineMs: number;
  /** Called with an optional section that failed or was late: the page is rendered without it. */
  onMissed: (section: string, reason: unknown) => void;
}

/**
 * Creates the server's `SiteApi`, which reads the upstream through the cache. One per response, whose dependencies
 * `tracker` records. A page's primary resource rejects with a `SiteError`; an optional section that fails or is late is
 * empty.
 */
export function createContentService(
  { upstream, cache, deadlineMs, onMissed }: ContentServiceDeps,
  tracker: DependencyTracker,
): SiteApi {
  const read = <T>(query: CacheQuery<T>): Promise<T> => cache.read(query, tracker);
  const withinDeadline = createDeadline(deadlineMs);

  async function optionalSection<T>(section: string, loading: Promise<T>, fallback: T): Promise<T> {
    const value = await withinDeadline(loading, (reason) => {
      tracker.markIncomplete();
      onMissed(section, reason);
    });
    return value ?? fallback;
  }

  async function ads(...slots: AdSlot[]): Promise<Advertisement[]> {
    const all = await optionalSection('ads', read(upstream.advertisements()), []);
    return all.filter(({ slot }) => slots.includes(slot));
  }

  async function sidebar() {
    const [latest, popular] = await Promise.all([
      optionalSection('sidebar latest', read(upstream.homeLatestNews()), []),
      optionalSection('sidebar popular', read(upstream.homePopular()), []),
    ]);
    return { latest: latest.map(headline), popular: popular.map(headline) };
  }

  return {
    navigation: createNavigation(upstream, read, optionalSection),

    async home() {
      const [top, lists, podcasts, guests, quickBytes, articles, banners] = await Promise.all([
        optionalSection('home latest', read(upstream.homeLatest()), []),
        sidebar(),
        optionalSection('home podcasts', read(upstream.homePodcast()), []),
        optionalSection('home guests', read(upstream.homeInterview()), []),
        optionalSection('home quick bytes', read(upstream.homeQuickByte()), []),
        optionalSection('home articles', read(upstream.homeArticle()), []),
        ads('Home-2', 'Footer-3'),
      ]);
      return {
        top: top.slice(0, 3),
        sidebar: lists,
        podcasts,
        guests,
        quickBytes,
        articles: articles.slice(1, 4),
        ads: banners,
      };
    },

    async tag(subcategory) {
      rejectImpossibleSlugs(subcategory);
      const [lists, known, banners] = await Promise.all([
        primaryResource(read(upstream.tag(subcategory)), {
          goTo404: ({ status }) => status === 500 || status === 501,
          isNotFound: ({ kind }) => kind === 'not-found',
        }),
        optionalSection<Category[] | null>('subcategories', read(upstream.subcategories()), null),
        ads('Post-1', 'Footer-3'),
      ]);
      return {
        subcategory,
        // Without the list of subcategories, posts prove the tag: an outage must not drop tags from search engines.
        isKnown: known
          ? known.some(({ slug }) => slug === subcategory)
          : Object.values(lists).some((posts) => posts.length > 0),
        news: lists.news.slice(0, 3),
        articles: lists.featured,
        quickBytes: lists.quickBytes,
        podcasts: lists.podcasts,
        hotSeats: lists.interviews.slice(0, 4),
        futureReady: lists.futureReady.slice(0, 2),
        guestAuthors: lists.guestAuthors,
        learningCenter: lists.learningCenter.slice(0, 3),
        ads: banners,
      };
    },

    async topic({ category, subcategory, page }) {
      rejectImpossibleSlugs(category);
      rejectImpossibleSlugs(subcategory ?? '');
      const [list, subcategories, banners] = await Promise.all([
        primaryResource(read(upstream.topic({ category, subcategory, page, limit: TOPIC_PAGE_SIZE })), {
          goTo404: ({ kind }) => kind === 'shape' || kind === 'not-json' || kind === 'not-found',
        }),
        primaryResource(optionalSubcategories(), { goTo404: ({ status }) => status === 500 }),
        ads('Post-1', 'Footer-3'),
      ]);
      const { posts, totalItems, totalPages } = list;
      return {
        category,
        subcategory,
        posts,
        pagination: { page, limit: TOPIC_PAGE_SIZE, totalItems, totalPages },
        subcategories,
        ads: banners,
      };
    },

    async article(address) {
      rejectImpossibleSlugs(address.category, address.slug);
      const latestPosts = optionalSection('latest', read(upstream.latest()), []);
      const banners = ads('Post-1', 'Footer-3');
      const { article, authorId } = await primaryResource(read(upstream.article(address)), {
        goTo404: ({ status }) => status === 501,
      });
      const [author, related, latest, articleAds] = await Promise.all([
        authorId === null ? null : optionalSection('author', read(upstream.author(authorId)), null),
        optionalSection('related', read(upstream.aside(article.category)), []),
        latestPosts,
        banners,
      ]);
      return {
        article,
        author,
        latest: latest.map(postHead),
        related: related.filter(({ title }) => title !== article.title).map(postHead),
        ads: articleAds,
      };
    },

    async events({ tab, page }) {
      const { events, totalPages } = await primaryResource(read(upstream.events({ tab, page })), {
        isNotFound: isPageBeyondTheLast(page),
      });
      return { tab, events, pagination: { page, totalPages } };
    },

    async event(slug) {
      rejectImpossibleSlugs(slug);
      const lists = sidebar();
      const banners = ads('Home-2', 'Footer-3');
      const event = await primaryResource(read(upstream.event(slug)));
      return { event, sidebar: await lists, ads: await banners };
    },

    async search({ category, term, page }) {
      rejectTooLong(category, term);
      const [list, categories, banners] = await Promise.all([
        primaryResource(read(upstream.search({ category, term, page })), {
          isNotFound: isPageBeyondTheLast(page),
        }),
        optionalSection('categories', read(upstream.categories()), []),
        ads('Footer-3'),
      ]);
      const { posts, totalItems, totalPages } = list;
      const pagination = { page, limit: SEARCH_PAGE_SIZE, totalItems, totalPages };
      return {
        category,
        term,
        posts: posts.slice(0, SEARCH_PAGE_SIZE),
        pagination,
        categories,
        ads: banners,
      };
    },

    async sitemap() {
      const list = await optionalSection<Category[] | null>('sitemap', read(upstream.subcategories()), null);
      return { subcategories: list ?? [], failure: list ? null : 'the list could not be loaded' };
    },
  };

  /** The specification redirects to /404 for status 500 of this call alone; after other failures the strip is empty. */
  async function optionalSubcategories() {
    let status500: unknown = null;
    const loading = read(upstream.subcategories()).catch((reason: unknown) => {
      if (reason instanceof UpstreamError && reason.status === 500) status500 = reason;
      throw reason;
    });
    const value = await optionalSection('subcategories', loading, []);
    if (status500 !== null) throw status500;
    return value;
  }
}
