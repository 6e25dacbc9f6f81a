import type { CacheQuery } from '#server/cache/cache-query.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import type { AdSlot, Advertisement } from '#shared/models/advertisement.ts';
import type { OwnPage } from '#shared/models/own-page.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { defaultSite, type Section, sectionOf } from '#shared/site.ts';
import type { SiteApi } from '#shared/site-api.ts';
import { SiteError } from '#shared/site-error.ts';
import * as en from '#shared/texts/en.ts';
import type { CacheQueries } from './cache-queries.ts';
import { columnOf, createNavigation, type LoadSection, newestOf, TOPIC_PAGE_SIZE } from './navigation.ts';
import {
  type PrimaryResourceRules,
  primaryResource,
  rejectImpossibleSlugs,
  rejectTooLong,
} from './primary-resource.ts';
import { createDeadline, OPTIONAL_WAIT_MS } from './section-deadline.ts';
import { headline, postHead, postLink } from './sent-fields.ts';

const SEARCH_PAGE_SIZE = 100;
/** Posts of a section on the sitemap page. */
const SITEMAP_LATEST = 3;

/** Returns the rule of a list that always exists: 404 is a failure of its first page, and the absence of a further one. */
function isPageBeyondTheLast(page: number): (error: UpstreamError) => boolean {
  return ({ kind }) => kind === 'not-found' && page > 1;
}

export interface ContentServiceDeps {
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read' | 'readCached' | 'isSlow'>;
  /** Optional sections never delay a response by more than this, in milliseconds. */
  deadlineMs: number;
  /** They are waited for this long (ms) after the primary resource. Default: a second. */
  optionalWaitMs?: number | undefined;
  /** The table of sections: that of the site folder, or `defaultSite.sections` itself. */
  sections: readonly Section[];
  /** Returns a page in Markdown; undefined for an unknown name. Absent where pages are only looked at for what they read. */
  ownPage?: ((name: string) => OwnPage | undefined) | undefined;
  /** Called with an optional section that failed or was late: the page is rendered without it. */
  onMissed: (section: string, reason: unknown) => void;
}

/**
 * Creates the server's `SiteApi`, which reads the upstream through the cache. One per response, whose dependencies
 * `tracker` records. A page's primary resource rejects with a `SiteError`; an optional section that fails or is late is
 * empty.
 */
export function createContentService(deps: ContentServiceDeps, tracker: DependencyTracker): SiteApi {
  const { queries, cache, deadlineMs, optionalWaitMs = OPTIONAL_WAIT_MS, sections, ownPage, onMissed } = deps;
  const read = <T>(query: CacheQuery<T>): Promise<T> => cache.read(query, tracker);
  const deadline = createDeadline(deadlineMs, optionalWaitMs);

  /** `loading`: of the query. */
  async function optionalSection<T, Fallback>(
    section: string,
    query: CacheQuery<T>,
    fallback: Fallback,
    loading = read(query),
  ): Promise<T | Fallback> {
    // One that is known to be slow has been waited for by an earlier reader: here it counts only if it is cached.
    const isKnownToBeSlow = cache.isSlow(query.key, optionalWaitMs);
    try {
      return await (isKnownToBeSlow ? createDeadline(0) : deadline).optional(loading);
    } catch (reason) {
      const cached = cache.readCached(query, tracker);
      if (cached !== null) return cached;
      tracker.markIncomplete(loading);
      onMissed(section, reason);
      return fallback;
    }
  }

  /** An upstream without the call may fail it with anything: that makes no article incomplete. */
  function hasAuthorPage(authorId: string): Promise<boolean> {
    const query = queries.hasAuthorPage(authorId);
    const loading = read(query).catch(() => false);
    return optionalSection('author page', query, false, loading);
  }

  function primary<T>(query: CacheQuery<T>, rules?: PrimaryResourceRules): Promise<T> {
    const loading = read(query);
    void deadline.primary(loading);
    return primaryResource(loading, rules);
  }

  async function ads(...slots: AdSlot[]): Promise<Advertisement[]> {
    const all = await optionalSection('ads', queries.advertisements(), []);
    return all.filter(({ slot }) => slots.includes(slot));
  }

  async function sidebar() {
    const [latest, popular] = await Promise.all([
      optionalSection('sidebar latest', queries.homeLatestNews(), []),
      optionalSection('sidebar popular', queries.homePopular(), []),
    ]);
    return { latest: latest.map(headline), popular: popular.map(headline) };
  }

  /** Names the categories of posts that are no section of the site, as the upstream does. */
  async function withCategoryNames<T extends Pick<PostSummary, 'category'>>(posts: readonly T[]) {
    const isSection = (category: string) => sectionOf(sections, category) !== undefined;
    if (posts.every(({ category }) => isSection(category))) return [...posts];
    const categories = await optionalSection('categories', queries.categories(), []);
    return posts.map((post) => {
      const known = categories.find(({ slug }) => slug === post.category && !isSection(slug));
      return known ? { ...post, categoryName: known.name } : post;
    });
  }

  /** The same for lists by name. */
  async function listsWithCategoryNames<Name extends string>(lists: Readonly<Record<Name, PostSummary[]>>) {
    const named: Record<Name, PostSummary[]> = { ...lists };
    for (const name in lists) named[name] = await withCategoryNames(lists[name]);
    return named;
  }

  const loadSection: LoadSection = (section, query) => optionalSection(section, query, null);
  const navigation = createNavigation(queries, loadSection, sections);

  return {
    navigation,

    async home() {
      /** No list of the home page is more than another: the first to come counts as its primary resource. */
      const loads: Promise<unknown>[] = [];
      const load: LoadSection = (section, query) => {
        const loading = read(query);
        loads.push(loading);
        return optionalSection(`home ${section}`, query, null, loading);
      };
      const top = load('latest', queries.homeLatest()).then((posts) => (posts ?? []).slice(0, 3));
      const lists = homeSections(load, top);
      void deadline.primary(Promise.any(loads));
      const [sidebarLists, banners] = await Promise.all([sidebar(), ads('Home-2', 'Footer-3')]);
      return {
        top: await withCategoryNames(await top),
        sidebar: sidebarLists,
        sections: await lists,
        ads: banners,
      };
    },

    async tag({ subcategory }) {
      rejectImpossibleSlugs(subcategory);
      const [lists, known, banners] = await Promise.all([
        primary(queries.tag(subcategory), {
          goTo404: ({ status }) => status === 500 || status === 501,
          isNotFound: ({ kind }) => kind === 'not-found',
        }),
        optionalSection('subcategories', queries.subcategories(), null),
        ads('Post-1', 'Footer-3'),
      ]);
      const named = await listsWithCategoryNames(lists);
      return {
        subcategory,
        name: known?.find(({ slug }) => slug === subcategory)?.name ?? null,
        // Without the list of subcategories, posts prove the tag: an outage must not drop tags from search engines.
        isKnown: known
          ? known.some(({ slug }) => slug === subcategory)
          : Object.values(lists).some((posts) => posts.length > 0),
        news: named.news.slice(0, 3),
        articles: named.featured,
        quickBytes: named.quickBytes,
        podcasts: named.podcasts,
        hotSeats: named.interviews.slice(0, 4),
        futureReady: named.futureReady.slice(0, 2),
        guestAuthors: named.guestAuthors,
        learningCenter: named.learningCenter.slice(0, 3),
        ads: banners,
      };
    },

    async topic({ category, subcategory, page }) {
      rejectImpossibleSlugs(category);
      rejectImpossibleSlugs(subcategory ?? '');
      const [list, subcategories, banners] = await Promise.all([
        primary(queries.topic({ category, subcategory, page, limit: TOPIC_PAGE_SIZE }), {
          goTo404: ({ kind }) => kind === 'shape' || kind === 'not-json' || kind === 'not-found',
        }),
        primaryResource(optionalSubcategories(), { goTo404: ({ status }) => status === 500 }),
        ads('Post-1', 'Footer-3'),
      ]);
      const { posts, totalItems, totalPages } = list;
      return {
        category,
        subcategory,
        posts: await withCategoryNames(posts),
        pagination: { page, limit: TOPIC_PAGE_SIZE, totalItems, totalPages },
        subcategories,
        ads: banners,
      };
    },

    async article(address) {
      rejectImpossibleSlugs(address.category, address.slug);
      const latestPosts = optionalSection('latest', queries.latest(), []);
      const banners = ads('Post-1', 'Footer-3');
      // Nearly always the article's own category.
      const ofAddress = read(queries.aside(address.category));
      ofAddress.catch(() => undefined);
      const { article, authorId } = await primary(queries.article(address), {
        goTo404: ({ status }) => status === 501,
      });
      const ofArticle = queries.aside(article.category);
      const isOfAddress = article.category === address.category;
      const [[named], author, isAuthorListed, related, latest, articleAds] = await Promise.all([
        withCategoryNames([article]),
        authorId === null ? null : optionalSection('author', queries.author(authorId), null),
        authorId !== null && hasAuthorPage(authorId),
        optionalSection('related', ofArticle, [], isOfAddress ? ofAddress : read(ofArticle)),
        latestPosts,
        banners,
      ]);
      const others = related.filter(({ title }) => title !== article.title);
      return {
        article: named ?? article,
        author,
        authorPage: isAuthorListed ? authorId : null,
        latest: await withCategoryNames(latest.map(postHead)),
        related: await withCategoryNames(others.map(postHead)),
        ads: articleAds,
      };
    },

    async author({ id, page }) {
      rejectImpossibleSlugs(id);
      const [list, known, banners] = await Promise.all([
        primary(queries.authorPosts({ id, page })),
        optionalSection('author', queries.author(id), null),
        ads('Post-1', 'Footer-3'),
      ]);
      const { posts, totalPages } = list;
      const author = known ?? list.author;
      if (author === null) throw new SiteError('not-found', en.pageDoesNotExist);
      return {
        id,
        author: { ...list.author, ...author },
        posts: await withCategoryNames(posts),
        pagination: { page, totalPages },
        ads: banners,
      };
    },

    async events({ tab, page }) {
      const { events, totalPages } = await primary(queries.events({ tab, page }), {
        isNotFound: isPageBeyondTheLast(page),
      });
      return { tab, events, pagination: { page, totalPages } };
    },

    async event({ slug }) {
      rejectImpossibleSlugs(slug);
      const lists = sidebar();
      const banners = ads('Home-2', 'Footer-3');
      const event = await primary(queries.event(slug));
      return { event, sidebar: await lists, ads: await banners };
    },

    async search({ category, term, page }) {
      rejectTooLong(category, term);
      const [list, categories, banners] = await Promise.all([
        primary(queries.search({ category, term, page }), {
          isNotFound: isPageBeyondTheLast(page),
        }),
        optionalSection('categories', queries.categories(), []),
        ads('Footer-3'),
      ]);
      const { posts, totalItems, totalPages } = list;
      const pagination = { page, limit: SEARCH_PAGE_SIZE, totalItems, totalPages };
      return {
        category,
        term,
        posts: await withCategoryNames(posts.slice(0, SEARCH_PAGE_SIZE)),
        pagination,
        categories: categories.map(({ slug, name }) => ({
          slug,
          name: sectionOf(sections, slug)?.titles?.topic ?? name,
        })),
        ads: banners,
      };
    },

    async sitemap() {
      const listed = sections.filter(({ titles }) => titles?.sitemap !== null);
      const [list, { menus }, ...others] = await Promise.all([
        optionalSection('sitemap', queries.subcategories(), null),
        navigation(),
        ...listed.map(({ slug, menu }) =>
          menu === undefined ? optionalSection(`sitemap ${slug}`, queries.aside(slug), null) : null,
        ),
      ]);
      return {
        sections: listed.flatMap((section, index) => {
          const posts = section.menu === undefined ? (others[index] ?? null) : columnOf(menus, section);
          // The specification lists its sections whatever is in them.
          if (posts?.length === 0 && sections !== defaultSite.sections) return [];
          const { slug, label } = section;
          return [{ slug, label, latest: (posts ?? []).slice(0, SITEMAP_LATEST).map(postLink) }];
        }),
        subcategories: list ?? [],
        failure: list ? null : en.listFailed,
      };
    },

    async ownPage({ name }) {
      const page = ownPage?.(name);
      if (!page) throw new SiteError('not-found', en.pageDoesNotExist);
      return page;
    },
  };

  /** Returns the posts of the home page's sections, by slug. A post at the top is not repeated in the newest of its section. */
  async function homeSections(load: LoadSection, top: Promise<readonly PostSummary[]>) {
    const lists: Partial<Record<string, CacheQuery<PostSummary[]>>> = {
      podcasts: queries.homePodcast(),
      'guest-author': queries.homeInterview(),
      quickbytes: queries.homeQuickByte(),
      featured: queries.homeArticle(),
    };
    const isSpecified = sections === defaultSite.sections;
    const postsOf = async ({ slug }: Section) => {
      const list = lists[slug];
      if (list) {
        const posts = (await load(slug, list)) ?? [];
        // The specification's list starts at item 2.
        return isSpecified && slug === 'featured' ? posts.slice(1, 4) : posts;
      }
      const newest = await load(slug, queries.topic(newestOf(slug)));
      const shown = new Set((await top).map(({ id }) => id));
      return (newest?.posts ?? []).filter(({ id }) => !shown.has(id));
    };
    const onHome = sections.filter(({ home }) => home !== undefined);
    const loaded = await Promise.all(
      onHome.map(async (section) => ({ ...section, posts: await postsOf(section) })),
    );
    // Without data the specification's podcasts read `Loading...`.
    const shown = loaded.filter(({ home, posts }) => posts.length > 0 || (isSpecified && home === 'feature'));
    return listsWithCategoryNames(Object.fromEntries(shown.map(({ slug, posts }) => [slug, posts])));
  }

  /** The specification redirects to /404 for status 500 of this call alone; after other failures the strip is empty. */
  async function optionalSubcategories() {
    let status500: unknown = null;
    const query = queries.subcategories();
    const loading = read(query).catch((reason: unknown) => {
      if (reason instanceof UpstreamError && reason.status === 500) status500 = reason;
      throw reason;
    });
    const value = await optionalSection('subcategories', query, [], loading);
    if (status500 !== null) throw status500;
    return value;
  }
}
