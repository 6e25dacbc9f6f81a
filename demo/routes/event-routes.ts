import type { FastifyInstance } from 'fastify';
import { type PublishedEvent, startOfDay } from '#demo/seed.ts';
import { eventOf } from '#demo/serializers.ts';
import { pageOf, positiveInteger } from './paging.ts';

const EVENTS_PAGE = 12;

/** `/api/event/...`: the three lists and the detail. `events` are sorted by date. */
export function eventRoutes(
  app: FastifyInstance,
  { events, clock }: { events: readonly PublishedEvent[]; clock: () => number },
): void {
  // An event of today counts as upcoming.
  const isPast = (event: PublishedEvent) => event.startsAt < startOfDay(clock());
  const upcoming = () => events.filter((event) => !isPast(event));
  const past = () => events.filter(isPast).reverse();

  const lists = {
    totalevents: () => [...upcoming(), ...past()],
    upcoming_events: upcoming,
    past_events: past,
  };
  for (const [name, list] of Object.entries(lists)) {
    app.get<{ Querystring: Record<string, unknown> }>(`/api/event/${name}`, async ({ query }) => {
      const { items, pagination } = pageOf(list(), positiveInteger(query.page, 1), EVENTS_PAGE);
      return { responseData: { eventData: items.map(eventOf), pagination } };
    });
  }

  app.get<{ Params: { slug: string } }>('/api/event/eventdetails/:slug', async ({ params }) => ({
    eventData: events.filter(({ slug }) => slug === params.slug).map(eventOf),
  }));
}
