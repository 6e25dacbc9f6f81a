import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type ZodType, z } from 'zod';
import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { NotFound } from '#server/errors.ts';
import { type RateLimits, routeRateLimit } from '#server/http/rate-limit.ts';
import { createSendCachedText, type SendCachedTextDeps } from '#server/http/response/send-cached-text.ts';
import { parseRequest } from '#server/http/route-schemas.ts';
import type { ViewCounter } from '#server/views/view-counter.ts';
import { isCrawler } from '#server/views/view-filter.ts';
import { ArticlePage } from '#shared/models/article.ts';
import { AuthorPage } from '#shared/models/author.ts';
import { EventPage, EventsPage } from '#shared/models/event.ts';
import { EVENT_TABS } from '#shared/models/event-tabs.ts';
import { Home } from '#shared/models/home.ts';
import { Navigation } from '#shared/models/navigation.ts';
import { OwnPage } from '#shared/models/own-page.ts';
import { TagPage } from '#shared/models/tag.ts';
import { SearchPage, SitemapPage, TopicPage } from '#shared/models/topic.ts';
import type { SiteApi } from '#shared/site-api.ts';
import * as apiPaths from '#shared/site-api.ts';
import { decodeDots, pageNumber } from '#shared/urls.ts';
import { Accepted, type ApiTag, describeRead, problems, type ReadText, response } from './openapi.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export interface ApiRoutesOptions extends SendCachedTextDeps {
  config: { rateLimit: RateLimits };
  clientIpOf: (request: IncomingMessage) => string;
  createSiteApi: (tracker: DependencyTracker) => SiteApi;
  views: Pick<ViewCounter, 'count' | 'beforePage'>;
}

interface Call<Input extends apiPaths.CallInput, Body> extends ReadText {
  path: string;
  /** What the path names, and else the query has. Its output is canonical: it is the key of the cached response. */
  input: ZodType<Input> & Pick<z.ZodObject, 'shape'>;
  response: ZodType<Body>;
  load: (api: SiteApi, input: Input) => Promise<Body>;
}

/** A post's id: any text that the upstream may name one by, or its slug where the upstream has none (`slugOf`). */
const PostId = z
  .string()
  .max(512)
  .regex(/^(?!\s)[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+(?<!\s)$/u);
const ViewBody = z.object({ postId: z.union([PostId, z.int().positive().transform(String)]) });

const slug = z.string().min(1).max(512).transform(decodeDots);
const none = z.object({});
const page = z
  .string()
  .optional()
  .catch(undefined)
  .transform(pageNumber)
  .meta({ type: 'integer', minimum: 1, description: 'Anything else is page 1.' });
const tab = z.enum(EVENT_TABS).default('all').catch('all').describe('Anything unknown is all.');

/** The JSON API for the hydrated client: `SiteApi` over HTTP. Cache hits are served by the front cache. */
export async function apiRoutes(app: FastifyInstance, options: ApiRoutesOptions): Promise<void> {
  const { config, clientIpOf, createSiteApi, views } = options;
  const sendCachedText = createSendCachedText(options);

  function get<Input extends apiPaths.CallInput, Body>(call: Call<Input, Body>): void {
    const { path, input } = call;
    const parameters = Object.entries(input.shape);
    const segments = path.split('/');
    const inPath = parameters.filter(([name]) => segments.includes(`:${name}`));
    const inQuery = parameters.filter((parameter) => !inPath.includes(parameter));
    // A parameter of the path may be malformed; what is named may not be there, or a page be beyond the last.
    const statuses = [...(inPath.length > 0 ? [400] : []), ...(parameters.length > 0 ? [404] : [])];
    const schema = {
      ...describeRead('content', call, call.response, statuses),
      params: z.object(Object.fromEntries(inPath)),
      querystring: z.object(Object.fromEntries(inQuery)),
    };
    app.get(path, { schema }, async (request, reply) => {
      views.beforePage(request.url, clientIpOf(request.raw));
      const given = parseRequest(input, Object.assign({}, request.query, request.params));
      const key = apiPaths.callTarget(path, given);
      return sendCachedText(request, reply, { key, type: JSON_TYPE }, async (tracker) =>
        JSON.stringify(call.response.parse(await call.load(createSiteApi(tracker), given))),
      );
    });
  }

  get({
    path: apiPaths.reads.navigation,
    operationId: 'getNavigation',
    summary: 'The menus',
    description:
      'Latest, Leadership and Features with their columns. A menu whose lists could not be loaded says so.',
    input: none,
    response: Navigation,
    load: (api) => api.navigation(),
  });
  get({
    path: apiPaths.reads.home,
    operationId: 'getHome',
    summary: 'The home page',
    description: 'Every list of the home page. A list that could not be loaded is empty.',
    input: none,
    response: Home,
    load: (api) => api.home(),
  });
  get({
    path: apiPaths.reads.tag,
    operationId: 'getTag',
    summary: 'The sections of a tag page',
    description: 'The eight sections of a sub-category, and the advertisements between them.',
    input: z.object({ subcategory: slug }),
    response: TagPage,
    load: (api, input) => api.tag(input),
  });
  get({
    path: apiPaths.categoryTopic,
    operationId: 'getTopic',
    summary: 'A page of a category',
    description: 'Ten posts of a category, the newest first, with its sub-categories.',
    input: z.object({ category: slug, page }),
    response: TopicPage,
    load: (api, input) => api.topic({ ...input, subcategory: null }),
  });
  get({
    path: apiPaths.reads.topic,
    operationId: 'getSubtopic',
    summary: 'A page of a sub-category',
    description: 'Ten posts that belong to both a category and a sub-category.',
    input: z.object({ category: slug, subcategory: slug, page }),
    response: TopicPage,
    load: (api, input) => api.topic(input),
  });
  get({
    path: apiPaths.reads.article,
    operationId: 'getArticle',
    summary: 'An article with its related lists',
    description: 'The article as safe HTML with its contents list, its author, latest and related posts.',
    input: z.object({ category: slug, slug }),
    response: ArticlePage,
    load: (api, input) => api.article(input),
  });
  get({
    path: apiPaths.reads.author,
    operationId: 'getAuthor',
    summary: 'A page of an author’s posts',
    description: 'Who the author is, and a page of their posts, where the upstream lists those.',
    input: z.object({ id: slug, page }),
    response: AuthorPage,
    load: (api, input) => api.author(input),
  });
  get({
    path: apiPaths.reads.events,
    operationId: 'listEvents',
    summary: 'A page of the event list',
    description: 'Upcoming events, the nearest first; past events, the latest first.',
    input: z.object({ tab, page }),
    response: EventsPage,
    load: (api, input) => api.events(input),
  });
  get({
    path: apiPaths.reads.event,
    operationId: 'getEvent',
    summary: 'An event with its sidebar',
    description: 'The event with its description as safe HTML, and the lists of the sidebar.',
    input: z.object({ slug }),
    response: EventPage,
    load: (api, input) => api.event(input),
  });
  get({
    path: apiPaths.reads.search,
    operationId: 'searchPosts',
    summary: 'A page of search results',
    description: 'Posts that contain a term, in one category or in all.',
    input: z.object({ category: slug, term: slug, page }),
    response: SearchPage,
    load: (api, input) => api.search(input),
  });
  get({
    path: apiPaths.reads.sitemap,
    operationId: 'getSitemap',
    summary: 'The sub-categories',
    description: 'The sub-categories that the sitemap lists, or why they could not be loaded.',
    input: none,
    response: SitemapPage,
    load: (api) => api.sitemap(),
  });
  get({
    path: apiPaths.reads.ownPage,
    operationId: 'getOwnPage',
    summary: 'A page of the publisher’s own',
    description: 'A page that the site folder (SITE_DIR) has in Markdown, as safe HTML.',
    input: z.object({ name: slug }),
    response: OwnPage,
    load: (api, input) => api.ownPage(input),
  });

  app.post(
    apiPaths.countView,
    {
      config: { rateLimit: routeRateLimit(config.rateLimit, 'beacon') },
      schema: {
        operationId: 'countView',
        tags: ['measurements'] satisfies ApiTag[],
        summary: 'Counts one view of an article reached without a document request',
        description:
          'A document request is counted by itself. No view is lost while the upstream is down. Crawlers that name themselves are not counted.',
        body: ViewBody,
        response: {
          202: response('It is counted upstream after this response', { 'application/json': Accepted }),
          ...problems([400, 413, 415, 429, 500]),
        },
      },
    },
    async (request, reply) => {
      const { postId } = parseRequest(ViewBody, request.body);
      const ip = clientIpOf(request.raw);
      if (!isCrawler(request.headers['user-agent'] ?? ''))
        reply.raw.once('finish', () => views.count({ postId, ip }));
      return reply.code(202).header('cache-control', 'no-store').send({ status: 'accepted' });
    },
  );

  // Without it the page route would match.
  app.get(`${apiPaths.API_PREFIX}*`, { schema: { hide: true }, config: { hasResource: () => false } }, () => {
    throw new NotFound();
  });
  const path = apiPaths.openApi;
  const text = {
    operationId: 'getDescription',
    summary: 'The OpenAPI document',
    description: 'This document, generated from the schemas that validate requests and responses.',
  };
  const schema = describeRead('documentation', text, z.looseObject({}), []);
  app.get(path, { schema }, (request, reply) =>
    sendCachedText(request, reply, { key: path, type: JSON_TYPE }, async () => JSON.stringify(app.swagger())),
  );
}
