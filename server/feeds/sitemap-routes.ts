import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Config } from '#server/config/config.ts';
import { primaryResource, rejectImpossibleSlugs } from '#server/content/primary-resource.ts';
import { createDeadline } from '#server/content/section-deadline.ts';
import { NotFound } from '#server/errors.ts';
import { createSendCachedText } from '#server/http/response/send-cached-text.ts';
import type { PageTable } from '#server/render/page-table.ts';
import { feedKey } from '#server/render/response-cache/response-cache.ts';
import type { Services } from '#server/service-types.ts';
import { defaultSite } from '#shared/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, decodeDots, encodeSegment, eventPath, tagPath, topicPath } from '#shared/urls.ts';
import type { FeedRoutesOptions } from './feed-routes.ts';
import { newestOf, newsSitemap, type SitemapEntry, sitemap, sitemapIndex } from './sitemap-xml.ts';

const TYPE = 'application/xml; charset=utf-8';

const partPath = (name: string) => `/sitemaps/${name}.xml`;

const postsPath = (category: string, page: number | string) =>
  partPath(`posts${topicPath(category)}/${page}`);

const undated = (paths: string[]): SitemapEntry[] => paths.map((path) => ({ path, lastModified: null }));

/** Posts in one part: one upstream call that is not slow yet. */
const POSTS_A_PART = 100;
/** A sitemap index may have no more parts than this. */
const MAX_PARTS = 50_000;
/** An upstream that reports more pages of a category than this is wrong. */
const MAX_PARTS_OF_CATEGORY = 1_000;
/** One request asks the upstream for the newest posts of no more categories than this; the others are left out. */
const MAX_CATEGORIES = 200;
/** The event list is short: an upstream that reports more pages than this is wrong. */
const MAX_EVENT_PAGES = 20;

export type SitemapRoutesOptions = FeedRoutesOptions & {
  config: Pick<Config, 'upstreamTimeoutMs'>;
  pageTable: Pick<PageTable, 'indexedPaths'>;
  responses: Services['responses'];
};

/**
 * Returns a function that waits for a list. One that fails, or takes longer than `deadlineMs` counted from now, is replaced
 * by `fallback`; the sitemap is then short-lived.
 */
function listsWithin(deadlineMs: number, tracker: DependencyTracker) {
  const deadline = createDeadline(deadlineMs, deadlineMs);
  return <T>(list: Promise<T>, fallback: T): Promise<T> =>
    deadline.optional(list).catch(() => {
      tracker.markIncomplete(list);
      return fallback;
    });
}

/**
 * The sitemap index, its parts, and the news sitemap. Posts are listed by category, a part for each hundred, from the
 * cached lists of the topics: the index and the list of topics take one upstream call for each category, other parts one.
 */
export async function sitemapRoutes(app: FastifyInstance, options: SitemapRoutesOptions): Promise<void> {
  const { config, queries, cache, responses, pageTable, site, clock } = options;
  const { publicOrigin: origin, upstreamTimeoutMs: deadlineMs } = config;
  const send = createSendCachedText(options);
  const addSitemap = (path: string, build: (tracker: DependencyTracker) => Promise<string>) =>
    app.get(path, (request, reply) => send(request, reply, { key: feedKey(path), type: TYPE }, build));

  const postsQuery = (category: string, page: number) =>
    queries.topic({ category, subcategory: null, page, limit: POSTS_A_PART });

  /**
   * Loads the newest hundred posts of each category that has some, and how many such lists it has: of those that the site
   * folder names, else of all that the upstream has. `arePrimary`: rejects with a `SiteError` where these fail to load.
   */
  async function newestByCategory(tracker: DependencyTracker, { arePrimary = false } = {}) {
    const list = listsWithin(deadlineMs, tracker);
    const upstreamCategories = () => {
      const loading = cache.read(queries.categories(), tracker);
      return arePrimary ? primaryResource(loading) : list(loading, []);
    };
    const { sections } = site.settings();
    const categories = sections === defaultSite.sections ? await upstreamCategories() : sections;
    const none = { posts: [], totalItems: 0, totalPages: 0 };
    const slugs = [...new Set(categories.map(({ slug }) => slug))].slice(0, MAX_CATEGORIES);
    const lists = slugs.map(async (category) => ({
      category,
      ...(await list(cache.read(postsQuery(category, 1), tracker), none)),
    }));
    return (await Promise.all(lists)).filter(({ posts }) => posts.length > 0);
  }

  async function allEvents(tracker: DependencyTracker): Promise<string[]> {
    const list = listsWithin(deadlineMs, tracker);
    const pageOf = (page: number) => cache.read(queries.events({ tab: 'all', page }), tracker);
    const first = await primaryResource(pageOf(1));
    const others = Array.from({ length: Math.min(first.totalPages, MAX_EVENT_PAGES) - 1 }, (_, i) =>
      list(pageOf(i + 2), { events: [], totalPages: 0 }),
    );
    const pages = [first, ...(await Promise.all(others))];
    return pages.flatMap(({ events }) => events.map(({ slug }) => eventPath(slug)));
  }

  // A part whose own list fails is 503: search engines would take an empty one for the removal of its addresses.
  const PARTS: Record<string, (tracker: DependencyTracker) => Promise<string[]>> = {
    pages: async () => {
      const own = site.settings().pages;
      const left = new Set(own.flatMap(({ name, inSitemap }) => (inSitemap ? [] : [`/${name}`])));
      const paths = [...pageTable.indexedPaths, ...own.map(({ name }) => `/${encodeSegment(name)}`)];
      return paths.filter((path) => !left.has(decodeURIComponent(path)));
    },
    topics: async (tracker) => {
      const topics = await newestByCategory(tracker, { arePrimary: true });
      return topics.map(({ category }) => topicPath(category));
    },
    tags: async (tracker) => {
      const tags = await primaryResource(cache.read(queries.subcategories(), tracker));
      return tags.map(({ slug }) => tagPath(slug));
    },
    events: allEvents,
  };

  addSitemap('/sitemap.xml', async (tracker) => {
    const fixed = undated(Object.keys(PARTS).map(partPath));
    const byCategory = await newestByCategory(tracker);
    const parts = byCategory.flatMap(({ category, posts, totalPages }) =>
      Array.from({ length: Math.min(totalPages, MAX_PARTS_OF_CATEGORY) }, (_, index) => ({
        path: postsPath(category, index + 1),
        lastModified: index === 0 ? newestOf(posts.map((post) => post.modifiedAt ?? post.publishedAt)) : null,
      })),
    );
    return sitemapIndex([...fixed, ...parts].slice(0, MAX_PARTS), origin);
  });

  for (const [name, pathsOf] of Object.entries(PARTS))
    addSitemap(partPath(name), async (tracker) => sitemap(undated(await pathsOf(tracker)), origin));

  // Each number has one spelling: no sign, no leading zero, no exponent.
  const Part = z.object({
    category: z.string().transform(decodeDots),
    page: z
      .string()
      .regex(/^[1-9][0-9]{0,3}$/)
      .transform(Number),
  });
  app.get('/sitemaps/posts/topic/:category/:page.xml', (request, reply) => {
    const { data } = Part.safeParse(request.params);
    if (!data) throw new NotFound();
    const { category, page } = data;
    return send(request, reply, { key: feedKey(postsPath(category, page)), type: TYPE }, async (tracker) => {
      rejectImpossibleSlugs(category);
      const { posts } = await primaryResource(cache.read(postsQuery(category, page), tracker), {
        isNotFound: ({ kind }) => kind === 'not-found',
      });
      if (posts.length === 0) throw new SiteError('not-found', 'There is no such part.');
      const entries = posts.map((post) => ({
        path: articlePath(post),
        lastModified: post.modifiedAt ?? post.publishedAt,
      }));
      return sitemap(entries, origin);
    });
  });

  // Posts come in and leave by the clock, to the minute.
  const newsKey = feedKey('/news-sitemap.xml');
  let newsMinute = Number.NaN;
  app.get('/news-sitemap.xml', (request, reply) => {
    const minute = Math.floor(clock.now() / 60_000);
    if (minute !== newsMinute) responses.drop(newsKey);
    newsMinute = minute;
    return send(request, reply, { key: newsKey, type: TYPE }, async (tracker) => {
      const posts = (await newestByCategory(tracker)).flatMap((one) => one.posts);
      return newsSitemap(posts, origin, clock.now(), site.settings());
    });
  });
}
