import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { type DependencyTracker, validBetween } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { NotFound } from '#server/errors.ts';
import type { PostArchive } from '#server/feeds/archive/post-archive.ts';
import {
  newestOf,
  newsSitemap,
  POSTS_A_PART,
  type SitemapEntry,
  sitemap,
  sitemapIndex,
} from '#server/feeds/sitemaps.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, eventPath, tagPath, topicPath } from '#shared/urls.ts';
import type { SendTextDeps } from '../send-text.ts';
import { CACHED_FEED, createSendFeed, listsWithin } from './send-feed.ts';

const XML_TYPE = 'application/xml; charset=utf-8';

const partPath = (name: string) => `/sitemaps/${name}.xml`;

/** The event list is short: an upstream that reports more pages than this is wrong. */
const MAX_EVENT_PAGES = 20;

/** Posts on the first page of a topic. */
const POSTS_OF_TOPIC = 10;

export interface SitemapRoutesOptions extends SendTextDeps {
  config: Pick<Config, 'publicOrigin' | 'upstreamTimeoutMs'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  archive: PostArchive;
  pageTemplates: Pick<PageTemplates, 'indexedPaths'>;
  /** Wall milliseconds. */
  wallClock: () => number;
}

/** The sitemap index, its parts, and the news sitemap. */
export async function sitemapRoutes(app: FastifyInstance, options: SitemapRoutesOptions): Promise<void> {
  const { config, queries, cache, archive, pageTemplates, wallClock } = options;
  const { publicOrigin: origin, upstreamTimeoutMs: deadlineMs } = config;
  const send = createSendFeed(options);

  /** Loads the newest posts of every category: all that is known before the archive has been loaded. */
  async function newestPosts(tracker: DependencyTracker): Promise<PostSummary[]> {
    const list = listsWithin(deadlineMs, tracker);
    const categories = await list(cache.read(queries.categories(), tracker), []);
    const pages = await Promise.all(
      categories.map(({ slug }) => {
        const topic = queries.topic({ category: slug, subcategory: null, page: 1, limit: POSTS_OF_TOPIC });
        return list(cache.read(topic, tracker), { posts: [], totalItems: 0, totalPages: 0 });
      }),
    );
    return pages.flatMap(({ posts }) => posts.slice(0, POSTS_OF_TOPIC));
  }

  /** Returns the number of posts, and a slice of them: those of the archive, then newer ones that it lacks. */
  async function allPosts(tracker: DependencyTracker) {
    const newest = await newestPosts(tracker);
    const version = archive.version();
    tracker.limitValidity(() => (archive.version() === version ? Number.POSITIVE_INFINITY : 0));
    const archived = archive.posts();
    const newer = [...new Map(newest.map((post) => [articlePath(post), post.publishedAt]))]
      .filter(([path]) => !archive.has(path))
      .map(([path, publishedAt]) => ({ path, publishedAt }));
    const { length } = archived;
    return {
      count: length + newer.length,
      slice: (from: number, to: number): SitemapEntry[] =>
        [
          ...archived.slice(from, to),
          ...newer.slice(Math.max(0, from - length), Math.max(0, to - length)),
        ].map(({ path, publishedAt }) => ({ path, lastModified: publishedAt })),
    };
  }

  async function allEvents(tracker: DependencyTracker): Promise<SitemapEntry[]> {
    const list = listsWithin(deadlineMs, tracker);
    const pageOf = (page: number) =>
      list(cache.read(queries.events({ tab: 'all', page }), tracker), { events: [], totalPages: 0 });
    const first = await pageOf(1);
    const others = Array.from({ length: Math.min(first.totalPages, MAX_EVENT_PAGES) - 1 }, (_, i) =>
      pageOf(i + 2),
    );
    const pages = [first, ...(await Promise.all(others))];
    return pages
      .flatMap(({ events }) => events)
      .map(({ slug }) => ({ path: eventPath(slug), lastModified: null }));
  }

  const PARTS: Record<string, (tracker: DependencyTracker) => Promise<SitemapEntry[]>> = {
    pages: async () => pageTemplates.indexedPaths.map((path) => ({ path, lastModified: null })),
    topics: async (tracker) => {
      const list = listsWithin(deadlineMs, tracker);
      const topics = await list(cache.read(queries.categories(), tracker), []);
      return topics.map(({ slug }) => ({ path: topicPath(slug), lastModified: null }));
    },
    tags: async (tracker) => {
      const list = listsWithin(deadlineMs, tracker);
      const tags = await list(cache.read(queries.subcategories(), tracker), []);
      return tags.map(({ slug }) => ({ path: tagPath(slug), lastModified: null }));
    },
    events: allEvents,
  };

  function sendXml(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    build: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> {
    archive.walkIfDue();
    return send(request, reply, path, XML_TYPE, build);
  }

  app.get('/sitemap.xml', CACHED_FEED, (request, reply) =>
    sendXml(request, reply, '/sitemap.xml', async (tracker) => {
      const posts = await allPosts(tracker);
      const parts: SitemapEntry[] = [];
      for (let from = 0; from === 0 || from < posts.count; from += POSTS_A_PART) {
        if (from > 0) await nextTurn();
        const lastModified = newestOf(posts.slice(from, from + POSTS_A_PART));
        parts.push({ path: partPath(`posts-${parts.length + 1}`), lastModified });
      }
      const fixed = Object.keys(PARTS).map((name) => ({ path: partPath(name), lastModified: null }));
      return sitemapIndex([...fixed, ...parts], origin);
    }),
  );

  for (const [name, entries] of Object.entries(PARTS)) {
    app.get(partPath(name), CACHED_FEED, (request, reply) =>
      sendXml(request, reply, partPath(name), async (tracker) => sitemap(await entries(tracker), origin)),
    );
  }

  // Each number has one spelling: no sign, no leading zero, no exponent.
  const Part = z.object({
    number: z
      .string()
      .regex(/^[1-9][0-9]{0,3}$/)
      .transform(Number),
  });
  app.get(partPath('posts-:number'), CACHED_FEED, (request, reply) => {
    const { data } = Part.safeParse(request.params);
    if (!data) throw new NotFound();
    const from = (data.number - 1) * POSTS_A_PART;
    return sendXml(request, reply, partPath(`posts-${data.number}`), async (tracker) => {
      const posts = await allPosts(tracker);
      if (from > 0 && from >= posts.count) throw new SiteError('not-found', 'There is no such part.');
      return sitemap(posts.slice(from, from + POSTS_A_PART), origin);
    });
  });

  app.get('/news-sitemap.xml', CACHED_FEED, (request, reply) =>
    send(request, reply, '/news-sitemap.xml', XML_TYPE, async (tracker) => {
      const posts = await newestPosts(tracker);
      const { text, from, until } = newsSitemap(posts, origin, wallClock());
      tracker.limitValidity(validBetween(from, until, wallClock));
      return text;
    }),
  );
}
