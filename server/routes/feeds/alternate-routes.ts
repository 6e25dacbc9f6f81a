import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { articleMarkdown } from '#server/feeds/article-markdown.ts';
import { calendar } from '#server/feeds/calendar.ts';
import type { CachedRoute } from '#server/http/cached-routes.ts';
import type { PageTemplates } from '#server/render/page-templates.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, decodeDots, eventPath } from '#shared/urls.ts';
import { createSendPage, type PageRoutesOptions } from '../page-routes.ts';
import type { SendTextDeps } from '../send-text.ts';
import { CACHED_FEED, createSendFeed } from './send-feed.ts';

export interface AlternateRoutesOptions extends PageRoutesOptions, SendTextDeps {
  config: Pick<Config, 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  pageTemplates: Pick<PageTemplates, 'templateOf'>;
  /** Wall milliseconds. */
  wallClock: () => number;
}

const ARTICLE_ROUTE = '/:category/:slug';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

const slug = z.string().min(1).transform(decodeDots);
const ArticleParams = z.object({ category: z.string().transform(decodeDots), slug });
const EventParams = z.object({ slug });

const PRIMARY = { goTo404: ({ status }: { status: number | null }) => status === 501 };

/**
 * Other forms of a page, without a view: the Markdown alternate of each article, at its path with `.md` appended, and the
 * calendar of each event (RFC 5545), `.ics`. Where there is none, the page of the request's own target is sent: an article
 * whose slug ends in `.md` keeps its page.
 */
export async function alternateRoutes(app: FastifyInstance, options: AlternateRoutesOptions): Promise<void> {
  const { config, queries, cache, pageTemplates, wallClock } = options;
  const sendFeed = createSendFeed(options);
  const sendPage = createSendPage(options);

  async function sendAlternate(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    type: string,
    build: (tracker: DependencyTracker) => Promise<string>,
  ): Promise<FastifyReply> {
    try {
      return await sendFeed(request, reply, path, type, build);
    } catch (error) {
      const isMissing = error instanceof SiteError && (error.kind === 'not-found' || error.goTo === '/404');
      if (!isMissing) throw error;
      return sendPage(request, reply);
    }
  }

  /** Returns null for `/tag/x.md` and the like: the first words of other pages are not categories. */
  function articleOf(params: unknown) {
    const { data } = ArticleParams.safeParse(params);
    if (!data) return null;
    const path = articlePath(data);
    return pageTemplates.templateOf(path) === ARTICLE_ROUTE ? { ...data, path: `${path}.md` } : null;
  }

  const cached: CachedRoute = { kind: 'feed', targetOf: (params) => articleOf(params)?.path ?? null };
  app.get('/:category/:slug.md', { config: { cached } }, (request, reply) => {
    const address = articleOf(request.params);
    if (address === null) return sendPage(request, reply);
    return sendAlternate(request, reply, address.path, MARKDOWN_TYPE, async (tracker) => {
      rejectImpossibleSlugs(address.category, address.slug);
      const { article } = await primaryResource(cache.read(queries.article(address), tracker), PRIMARY);
      return articleMarkdown(article, config.publicOrigin);
    });
  });

  app.get('/events/:slug.ics', CACHED_FEED, (request, reply) => {
    const { data } = EventParams.safeParse(request.params);
    if (!data) return sendPage(request, reply);
    const path = `${eventPath(data.slug)}.ics`;
    return sendAlternate(request, reply, path, CALENDAR_TYPE, async (tracker) => {
      rejectImpossibleSlugs(data.slug);
      const event = await primaryResource(cache.read(queries.event(data.slug), tracker), PRIMARY);
      const { date } = event;
      if (date === null) throw new SiteError('not-found', 'The date of this event is not known.');
      return calendar({ ...event, date }, config.publicOrigin, wallClock());
    });
  });
}
