import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config/config.ts';
import type { CacheQueries } from '#server/content/cache-queries.ts';
import { primaryResource } from '#server/content/primary-resource.ts';
import { rejectImpossibleSlugs } from '#server/content/slug-filter.ts';
import type { SendTextDeps } from '#server/http/response/send-text.ts';
import { createSendPage, type PageRoutesOptions } from '#server/render/page-routes.ts';
import type { Site } from '#server/site/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeDots, eventPath } from '#shared/urls.ts';
import { calendar } from './calendar.ts';
import { CACHED_FEED, createSendFeed } from './send-feed.ts';

export interface CalendarRoutesOptions extends PageRoutesOptions, SendTextDeps {
  config: Pick<Config, 'publicOrigin'>;
  queries: CacheQueries;
  cache: Pick<ContentCache, 'read'>;
  site: Pick<Site, 'settings'>;
  clock: Clock;
}

const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

const EventParams = z.object({ slug: z.string().min(1).transform(decodeDots) });

const PRIMARY = { goTo404: ({ status }: { status: number | null }) => status === 501 };

/**
 * The calendar of each event (RFC 5545), at its path with `.ics` appended, which counts no view. Where there is none, the
 * page of the request's own target is sent: an event whose slug ends in `.ics` keeps its page.
 */
export async function calendarRoutes(app: FastifyInstance, options: CalendarRoutesOptions): Promise<void> {
  const { config, queries, cache, site, clock } = options;
  const sendFeed = createSendFeed(options);
  const sendPage = createSendPage(options);

  app.get('/events/:slug.ics', CACHED_FEED, async (request, reply) => {
    const { data } = EventParams.safeParse(request.params);
    if (!data) return sendPage(request, reply);
    const path = `${eventPath(data.slug)}.ics`;
    try {
      return await sendFeed(request, reply, path, CALENDAR_TYPE, async (tracker) => {
        rejectImpossibleSlugs(data.slug);
        const event = await primaryResource(cache.read(queries.event(data.slug), tracker), PRIMARY);
        const { date } = event;
        if (date === null) throw new SiteError('not-found', 'The date of this event is not known.');
        return calendar({ ...event, date }, config.publicOrigin, clock.now(), site.settings());
      });
    } catch (error) {
      const isMissing = error instanceof SiteError && (error.kind === 'not-found' || error.goTo === '/404');
      if (!isMissing) throw error;
      return sendPage(request, reply);
    }
  });
}
