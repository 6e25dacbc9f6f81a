import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Reading } from '#server/cache/reading.ts';
import type { UpstreamAnswers } from '#server/content/upstream-answers.ts';
import type { PostArchive } from '#server/feeds/post-archive.ts';
import {
  newestOf,
  newsSitemap,
  POSTS_A_PART,
  type SitemapEntry,
  sitemap,
  sitemapIndex,
} from '#server/feeds/sitemaps.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { articlePath, eventPath, tagPath, topicPath } from '#shared/urls.ts';
import { answerNotFound } from './error-answers.ts';
import { createSendText, listOr, type SendTextDeps } from './send-text.ts';

const XML_TYPE = 'application/xml; charset=utf-8';

/** Pages that stand whatever the upstream holds. */
const FIXED_PAGES = ['/', '/events', '/about', '/contact-us', '/privacy-policy', '/opt-out-form', '/sitemap'];

/** The event list is short; more than this is no list of events. */
const EVENT_PAGES = 20;

export interface SitemapRoutesDeps extends SendTextDeps {
  upstream: UpstreamAnswers;
  cache: ContentCache;
  archive: PostArchive;
  origin: string;
  /** Wall-clock milliseconds. */
  now: () => number;
}

/** The sitemap index, its parts, and the news sitemap. */
export function sitemapRoutes(app: FastifyInstance, deps: SitemapRoutesDeps): void {
  const { upstream, cache, archive, origin, now } = deps;
  const send = createSendText(deps);

  /** The newest posts of every category: all that is known before a walk of the archive is through. */
  async function newestPosts(reading: Reading): Promise<PostSummary[]> {
    const categories = await listOr(reading, cache.read(upstream.categories(), reading), []);
    const lists = await Promise.all(
      categories.map(({ slug }) => {
        const topic = upstream.topic({ category: slug, subcategory: null, page: 1, limit: 10 });
        return listOr(reading, cache.read(topic, reading), { posts: [], totalItems: 0, totalPages: 0 });
      }),
    );
    return lists.flatMap(({ posts }) => posts);
  }

  /** Newest first, then all that the archive holds besides. */
  async function allPosts(reading: Reading): Promise<SitemapEntry[]> {
    const newest = (await newestPosts(reading)).map((post) => ({
      path: articlePath(post),
      lastModified: post.publishedAt,
    }));
    const archived = archive
      .posts()
      .posts.map(({ path, publishedAt }) => ({ path, lastModified: publishedAt }));
    return [...new Map([...newest, ...archived].map((entry) => [entry.path, entry])).values()];
  }

  async function allEvents(reading: Reading): Promise<SitemapEntry[]> {
    const entries: SitemapEntry[] = [];
    let totalPages = 1;
    for (let page = 1; page <= Math.min(totalPages, EVENT_PAGES); page++) {
      const list = await listOr(reading, cache.read(upstream.events({ tab: 'all', page }), reading), {
        events: [],
        totalPages: 0,
      });
      totalPages = list.totalPages;
      entries.push(...list.events.map(({ slug }) => ({ path: eventPath(slug), lastModified: null })));
    }
    return entries;
  }

  const PARTS: Record<string, (reading: Reading) => Promise<SitemapEntry[]>> = {
    pages: async () => FIXED_PAGES.map((path) => ({ path, lastModified: null })),
    topics: async (reading) => {
      const topics = await listOr(reading, cache.read(upstream.categories(), reading), []);
      return topics.map(({ slug }) => ({ path: topicPath(slug), lastModified: null }));
    },
    tags: async (reading) => {
      const tags = await listOr(reading, cache.read(upstream.subcategories(), reading), []);
      return tags.map(({ slug }) => ({ path: tagPath(slug), lastModified: null }));
    },
    events: allEvents,
  };

  const sendXml = (
    request: FastifyRequest,
    reply: FastifyReply,
    make: (reading: Reading) => Promise<string>,
  ) => send(request, reply, XML_TYPE, make, archive.posts().version);

  app.get('/sitemap.xml', (request, reply) =>
    sendXml(request, reply, async (reading) => {
      const posts = await allPosts(reading);
      const count = Math.max(1, Math.ceil(posts.length / POSTS_A_PART));
      const parts = Array.from({ length: count }, (_, i) => ({
        path: `/sitemaps/posts-${i + 1}.xml`,
        lastModified: newestOf(posts.slice(i * POSTS_A_PART, (i + 1) * POSTS_A_PART)),
      }));
      const fixed = Object.keys(PARTS).map((name) => ({ path: `/sitemaps/${name}.xml`, lastModified: null }));
      return sitemapIndex([...fixed, ...parts], origin);
    }),
  );

  for (const [name, entries] of Object.entries(PARTS)) {
    app.get(`/sitemaps/${name}.xml`, (request, reply) =>
      sendXml(request, reply, async (reading) => sitemap(await entries(reading), origin)),
    );
  }

  const Part = z.object({ number: z.coerce.number().int().min(1).max(1_000) });
  app.get('/sitemaps/posts-:number.xml', (request, reply) => {
    const { data } = Part.safeParse(request.params);
    if (!data) return answerNotFound(request, reply);
    const from = (data.number - 1) * POSTS_A_PART;
    if (from > 0 && archive.posts().posts.length <= from) return answerNotFound(request, reply);
    return sendXml(request, reply, async (reading) =>
      sitemap((await allPosts(reading)).slice(from, from + POSTS_A_PART), origin),
    );
  });

  app.get('/news-sitemap.xml', (request, reply) =>
    send(request, reply, XML_TYPE, async (reading) => newsSitemap(await newestPosts(reading), origin, now())),
  );
}
