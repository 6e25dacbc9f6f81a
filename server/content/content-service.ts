import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { AdSlot, Advertisement } from '#shared/models/advertisement.ts';
import type { Category } from '#shared/models/topic.ts';
import type { SiteApi } from '#shared/site-api.ts';
import type { CacheQueries } from './cache-queries.ts';
import { createDeadline } from './deadline.ts';
import { headline, postHead } from './headlines.ts';
import { createNavigation } from './navigation.ts';
import { primaryResource } from './primary-resource.ts';
import { refuseTooLong, rejectImpossibleSlugs } from './slug-filter.ts';

const TOPIC_PAGE_SIZE = 10;
const SEARCH_PAGE_SIZE = 100;

/** What the content service stands on. */
export interface ContentServiceDeps {
  upstream: CacheQueries;
  cache: ContentCache;
  /** How long slow upstream calls may hold one page, in milliseconds. */
  deadlineMs: number;
  /** Told of secondary data that could not be had; the page is drawn without it. */
  onMissed: (block: string, reason: unknown) => void;
}

/**
 * `SiteApi` in the process: the only caller of the upstream, and only through the cache. Made anew for each page
 * or answer, whose `tracker` records what it is made of. A page's subject rejects with a `SiteError`; everything
 * else that fails or is late is drawn as empty.
 */
export function createContentService(
  { upstream, cache, deadlineMs, onMissed }: ContentServiceDeps,
  tracker: DependencyTracker,
): SiteApi {
  const read = <T>(request: CacheQuery<T>): Promise<T> => cache.read(request, tracker);
  const deadline = createDeadline(deadlineMs);

  async function secondary<T>(block: string, response: Promise<T>, standIn: T): Promise<T> {
    const value = await deadline.within(response, (reason) => {
      tracker.markIncomplete();
      onMissed(block, reason);
    });
    return value ?? standIn;
  }

  async function ads(...slots: AdSlot[]): Promise<Advertisement[]> {
    const all = await secondary('ads', read(upstream.advertisements()), []);
    return all.filter(({ slot }) => slots.includes(slot));
  }

  async function sidebar() {
    const [latest, popular] = await Promise.all([
      secondary('sidebar latest', read(upstream.homeLatestNews()), []),
      secondary('sidebar popular', read(upstream.homePopular()), []),
    ]);
    return { latest: latest.map(headline), popular: popular.map(headline) };
  }

  return {
    navigation: createNavigation(upstream, read, secondary),

    async home() {
      const [top, lists, podcasts, guests, quickBytes, articles, banners] = await Promise.all([
        secondary('home latest', read(upstream.homeLatest()), []),
        sidebar(),
        secondary('home podcasts', read(upstream.homePodcast()), []),
        secondary('home guests', read(upstream.homeInterview()), []),
        secondary('home quick bytes', read(upstream.homeQuickByte()), []),
        secondary('home articles', read(upstream.homeArticle()), []),
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
        }),
        secondary<Category[] | null>('subcategories', read(upstream.subcategories()), null),
        ads('Post-1', 'Footer-3'),
      ]);
      return {
        subcategory,
        // Without the list, posts show that the upstream knows it: an outage must not take tags out of search engines.
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
          goTo404: ({ kind, status }) => kind === 'shape' || kind === 'not-json' || status === 404,
        }),
        primaryResource(secondarySubcategories(), { goTo404: ({ status }) => status === 500 }),
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
      const latestPosts = secondary('latest', read(upstream.latest()), []);
      const banners = ads('Post-1', 'Footer-3');
      const { article, authorId } = await primaryResource(read(upstream.article(address)), {
        goTo404: ({ status }) => status === 501,
      });
      const [author, related, latest, articleAds] = await Promise.all([
        authorId === null ? null : secondary('author', read(upstream.author(authorId)), null),
        secondary('related', read(upstream.aside(article.category)), []),
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
      const { events, totalPages } = await primaryResource(read(upstream.events({ tab, page })));
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
      refuseTooLong(category, term);
      const [list, categories, banners] = await Promise.all([
        primaryResource(read(upstream.search({ category, term, page }))),
        secondary('categories', read(upstream.categories()), []),
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
      let failure: string | null = null;
      const subcategories = await deadline.within(read(upstream.subcategories()), (reason) => {
        tracker.markIncomplete();
        onMissed('sitemap', reason);
        failure = 'the list could not be loaded';
      });
      return { subcategories: subcategories ?? [], failure };
    },
  };

  /** The specification sends the reader to /404 for status 500 of this call alone; other failures leave the strip empty. */
  async function secondarySubcategories() {
    let refused: unknown = null;
    const response = read(upstream.subcategories()).catch((reason: unknown) => {
      if (reason instanceof UpstreamError && reason.status === 500) refused = reason;
      throw reason;
    });
    const value = await secondary('subcategories', response, []);
    if (refused !== null) throw refused;
    return value;
  }
}
