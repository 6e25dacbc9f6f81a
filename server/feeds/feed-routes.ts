import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource, rejectImpossibleSlugs } from '#server/content/primary-resource.ts';
import { createSendCachedText, type SendCachedTextDeps } from '#server/http/response/send-cached-text.ts';
import { feedKey } from '#server/render/response-cache/response-cache.ts';
import type { Site } from '#server/site/site.ts';
import type { Clock } from '#server/time.ts';
import type { PostSummary } from '#shared/models/post.ts';
import { sectionOf } from '#shared/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { articlePath, decodeDots, topicPath } from '#shared/urls.ts';
import { atom, type Channel, jsonFeed, rss } from './rss-atom-json.ts';

const FORMATS = [
  { file: 'feed.xml', type: 'application/rss+xml; charset=utf-8', write: rss },
  { file: 'feed.atom', type: 'application/atom+xml; charset=utf-8', write: atom },
  { file: 'feed.json', type: 'application/feed+json; charset=utf-8', write: jsonFeed },
];

export interface FeedRoutesOptions extends SendCachedTextDeps {
  config: Pick<Config, 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  site: Pick<Site, 'settings'>;
  clock: Clock;
}

const Topic = z.object({ category: z.string().transform(decodeDots) });

/** Returns posts without a second one of the same address, which is their id in a feed (RFC 4287, 4.2.6). */
function withoutRepeats(posts: readonly PostSummary[]): PostSummary[] {
  return [...Map.groupBy(posts, articlePath).values()].flatMap(([first]) => first ?? []);
}

/** Feeds of the site and of each topic. */
export async function feedRoutes(app: FastifyInstance, options: FeedRoutesOptions): Promise<void> {
  const { config, queries, cache, site, clock } = options;
  const origin = config.publicOrigin;
  const send = createSendCachedText(options);

  for (const { file, type, write } of FORMATS) {
    const feed = (channel: Channel) => write(channel, origin, site.settings(), clock.now());
    app.get(`/${file}`, (request, reply) =>
      send(request, reply, { key: feedKey(`/${file}`), type }, async (tracker) => {
        const posts = withoutRepeats(await primaryResource(cache.read(queries.latest(), tracker)));
        return feed({ title: site.settings().name, path: '/', self: `/${file}`, posts });
      }),
    );
    app.get(`/topic/:category/${file}`, (request, reply) => {
      const { category } = Topic.parse(request.params);
      const path = topicPath(category);
      const self = `${path}/${file}`;
      return send(request, reply, { key: feedKey(self), type }, async (tracker) => {
        rejectImpossibleSlugs(category);
        const topic = queries.topic({ category, subcategory: null, page: 1, limit: 10 });
        const list = await primaryResource(cache.read(topic, tracker), {
          isNotFound: ({ kind }) => kind === 'not-found',
        });
        const posts = withoutRepeats(list.posts);
        const [first] = posts;
        // The upstream returns an empty list for any name. A topic without posts does not exist, and its name is not echoed.
        if (!first) throw new SiteError('not-found', 'There are no posts on this topic.');
        const { name, sections } = site.settings();
        const topicName = sectionOf(sections, category)?.titles?.topic ?? first.category;
        return feed({ title: `${name}: ${topicName}`, path, self, posts });
      });
    });
  }
}
