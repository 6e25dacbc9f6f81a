import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Reading } from '#server/cache/reading.ts';
import type { CmsContent } from '#server/cms/cms-content.ts';
import { UpstreamError } from '#server/cms/upstream-error.ts';
import type { AdSlot, Advertisement } from '#shared/models/advertisement.ts';
import type { SiteApi } from '#shared/site-api.ts';
import { createCachedContent } from './cached-content.ts';
import { createDeadline } from './deadline.ts';
import { createNavigation } from './navigation.ts';
import { subject } from './subject.ts';

const TOPIC_PAGE_SIZE = 10;
const SEARCH_PAGE_SIZE = 100;

/** What the content service stands on. */
export interface ContentServiceDeps {
  cms: CmsContent;
  cache: ContentCache;
  /** How long slow upstream calls may hold one page, in milliseconds. */
  deadlineMs: number;
  /** Told of secondary data that could not be had; the page is drawn without it. */
  onMissed: (block: string, reason: unknown) => void;
}

/**
 * `SiteApi` in the process: the only caller of the upstream, and only through the cache. Made anew for each page
 * or answer, whose `reading` records what it is made of. A page's subject rejects with a `SiteError`; everything
 * else that fails or is late is drawn as empty.
 */
export function createContentService(
  { cms, cache, deadlineMs, onMissed }: ContentServiceDeps,
  reading: Reading,
): SiteApi {
  const content = createCachedContent(cms, cache, reading);
  const deadline = createDeadline(deadlineMs);

  async function secondary<T>(block: string, answer: Promise<T>, standIn: T): Promise<T> {
    const value = await deadline.within(answer, (reason) => {
      reading.missed();
      onMissed(block, reason);
    });
    return value ?? standIn;
  }

  async function ads(...slots: AdSlot[]): Promise<Advertisement[]> {
    const all = await secondary('ads', content.advertisements(), []);
    return all.filter(({ slot }) => slots.includes(slot));
  }

  async function sidebar() {
    const [latest, popular] = await Promise.all([
      secondary('sidebar latest', content.homeLatestNews(), []),
      secondary('sidebar popular', content.homePopular(), []),
    ]);
    return { latest, popular };
  }

  return {
    navigation: createNavigation(content, secondary),

    async home() {
      const [top, lists, podcasts, guests, quickBytes, articles, banners] = await Promise.all([
        secondary('home latest', content.homeLatest(), []),
        sidebar(),
        secondary('home podcasts', content.homePodcast(), []),
        secondary('home guests', content.homeInterview(), []),
        secondary('home quick bytes', content.homeQuickByte(), []),
        secondary('home articles', content.homeArticle(), []),
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
      const [lists, banners] = await Promise.all([
        subject(content.tag(subcategory), { goTo404: ({ status }) => status === 500 || status === 501 }),
        ads('Post-1', 'Footer-3'),
      ]);
      return {
        subcategory,
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
      const [list, subcategories, banners] = await Promise.all([
        subject(content.topic({ category, subcategory, page, limit: TOPIC_PAGE_SIZE }), {
          goTo404: ({ kind, status }) => kind === 'shape' || kind === 'not-json' || status === 404,
        }),
        subject(secondarySubcategories(), { goTo404: ({ status }) => status === 500 }),
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
      const latestPosts = secondary('latest', content.latest(), []);
      const banners = ads('Post-1', 'Footer-3');
      const { article, authorId } = await subject(content.article(address), {
        goTo404: ({ status }) => status === 501,
      });
      const [author, related, latest, articleAds] = await Promise.all([
        authorId === null ? null : secondary('author', content.author(authorId), null),
        secondary('related', content.aside(article.category), []),
        latestPosts,
        banners,
      ]);
      return {
        article,
        author,
        latest,
        related: related.filter(({ title }) => title !== article.title),
        ads: articleAds,
      };
    },

    async events({ tab, page }) {
      const { events, totalPages } = await subject(content.events({ tab, page }));
      return { tab, events, pagination: { page, totalPages } };
    },

    async event(slug) {
      const lists = sidebar();
      const banners = ads('Home-2', 'Footer-3');
      const event = await subject(content.event(slug));
      return { event, sidebar: await lists, ads: await banners };
    },

    async search({ category, term, page }) {
      const [list, categories, banners] = await Promise.all([
        subject(content.search({ category, term, page })),
        secondary('categories', content.categories(), []),
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
      const subcategories = await deadline.within(content.subcategories(), (reason) => {
        reading.missed();
        onMissed('sitemap', reason);
        failure = 'the list could not be loaded';
      });
      return { subcategories: subcategories ?? [], failure };
    },
  };

  /** The specification sends the reader to /404 for status 500 of this call alone; other failures leave the strip empty. */
  async function secondarySubcategories() {
    let refused: unknown = null;
    const answer = content.subcategories().catch((reason: unknown) => {
      if (reason instanceof UpstreamError && reason.status === 500) refused = reason;
      throw reason;
    });
    const value = await secondary('subcategories', answer, []);
    if (refused !== null) throw refused;
    return value;
  }
}
