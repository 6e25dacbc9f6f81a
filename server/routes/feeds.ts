import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { atom } from '#server/feeds/atom.ts';
import { jsonFeed } from '#server/feeds/json-feed.ts';
import { llmsText } from '#server/feeds/llms-text.ts';
import { rss } from '#server/feeds/rss.ts';
import { openSearch, robots, securityText, speculationRules, webManifest } from '#server/feeds/site-files.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';
import type { SendResponse } from '#server/render/send-response.ts';
import { SPECULATION_RULES } from '#server/render/send-response.ts';
import { site } from '#shared/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeDots, topicPath } from '#shared/urls.ts';
import { createSendFeed, listsWithin } from './send-feed.ts';

/** The same posts, as different readers want them. */
const FORMATS = [
  { file: 'feed.xml', type: 'application/rss+xml; charset=utf-8', write: rss },
  { file: 'feed.atom', type: 'application/atom+xml; charset=utf-8', write: atom },
  { file: 'feed.json', type: 'application/feed+json; charset=utf-8', write: jsonFeed },
];

export interface FeedRoutesDeps {
  responses: Pick<ResponseCache<ResponseExtra>, 'get'>;
  upstream: CacheQueries;
  cache: ContentCache;
  sendResponse: SendResponse;
  origin: string;
  /** Of indexnow.org, which asks for it at the site to know that it is the site's. */
  indexNowKey: string | null;
  /** How long slow upstream calls may hold one text, in milliseconds. */
  deadlineMs: number;
  /** Wall-clock milliseconds. */
  now: () => number;
}

const Topic = z.object({ category: z.string().transform(decodeDots) });

/** What programs read: feeds and the site's description files. */
export function feedRoutes(app: FastifyInstance, deps: FeedRoutesDeps): void {
  const { responses, upstream, cache, sendResponse, origin, now } = deps;

  const send = createSendFeed({ responses, sendResponse });

  for (const { file, type, write } of FORMATS) {
    app.get(`/${file}`, (request, reply) =>
      send(request, reply, `/${file}`, type, async (tracker) => {
        const posts = await primaryResource(cache.read(upstream.latest(), tracker));
        return write({ title: site.name, path: '/', self: `/${file}`, posts }, origin, now());
      }),
    );
    app.get(`/topic/:category/${file}`, (request, reply) => {
      const { category } = Topic.parse(request.params);
      const path = topicPath(category);
      const self = `${path}/${file}`;
      return send(request, reply, self, type, async (tracker) => {
        rejectImpossibleSlugs(category);
        const topic = upstream.topic({ category, subcategory: null, page: 1, limit: 10 });
        const { posts } = await primaryResource(cache.read(topic, tracker));
        const [first] = posts;
        // The upstream has an empty list for whatever it is asked for: such a topic is none, and nothing repeats its name.
        if (!first) throw new SiteError('not-found', 'There are no posts on this topic.');
        return write({ title: `${site.name}: ${first.category}`, path, self, posts }, origin, now());
      });
    });
  }

  app.get('/llms.txt', (request, reply) =>
    send(request, reply, '/llms.txt', 'text/plain; charset=utf-8', async (tracker) => {
      const list = listsWithin(deps.deadlineMs, tracker);
      const [categories, posts] = await Promise.all([
        list(cache.read(upstream.categories(), tracker), []),
        list(cache.read(upstream.latest(), tracker), []),
      ]);
      return llmsText(categories, posts, origin);
    }),
  );

  app.get('/.well-known/security.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(securityText(origin, now())),
  );

  const key =
    deps.indexNowKey === null
      ? []
      : [{ path: `/${deps.indexNowKey}.txt`, type: 'text/plain; charset=utf-8', text: deps.indexNowKey }];
  const files = [
    ...key,
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', text: robots(origin) },
    {
      path: '/opensearch.xml',
      type: 'application/opensearchdescription+xml; charset=utf-8',
      text: openSearch(origin),
    },
    { path: '/manifest.webmanifest', type: 'application/manifest+json; charset=utf-8', text: webManifest() },
    { path: SPECULATION_RULES, type: 'application/speculationrules+json', text: speculationRules() },
  ];
  for (const { path, type, text } of files) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(text),
    );
  }
}
