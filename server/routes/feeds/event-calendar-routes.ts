import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Config } from '#server/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import { calendar } from '#server/feeds/calendar.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeDots, eventPath } from '#shared/urls.ts';
import { createSendPage, type PageRoutesOptions } from '../page-routes.ts';
import { CACHED_FEED, createSendFeed, type SendFeedDeps } from './send-feed.ts';

export interface EventCalendarOptions extends PageRoutesOptions, SendFeedDeps {
  config: Pick<Config, 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  /** Wall milliseconds. */
  wallClock: () => number;
}

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
const Params = z.object({ slug: z.string().min(1).transform(decodeDots) });

/** `GET /events/{slug}.ics`: an event for a calendar (RFC 5545). Where there is no such event, or no date, the 404 page. */
export async function eventCalendarRoutes(
  app: FastifyInstance,
  options: EventCalendarOptions,
): Promise<void> {
  const { config, queries, cache, wallClock } = options;
  const sendFeed = createSendFeed(options);
  const sendPage = createSendPage(options);

  app.get('/events/:slug.ics', CACHED_FEED, async (request, reply) => {
    const params = Params.safeParse(request.params);
    if (!params.success) return sendPage(request, reply);
    const { slug } = params.data;
    try {
      return await sendFeed(request, reply, `${eventPath(slug)}.ics`, CALENDAR_TYPE, async (tracker) => {
        rejectImpossibleSlugs(slug);
        const event = await primaryResource(cache.read(queries.event(slug), tracker), {
          goTo404: ({ status }) => status === 501,
        });
        const { date } = event;
        if (date === null) throw new SiteError('not-found', 'The date of this event is not known.');
        return calendar({ ...event, date }, config.publicOrigin, wallClock());
      });
    } catch (error) {
      const isMissing = error instanceof SiteError && (error.kind === 'not-found' || error.goTo === '/404');
      if (!isMissing) throw error;
      return sendPage(request, reply);
    }
  });
}
