import type { FastifyInstance } from 'fastify';
import type { AdvertisementEntry, Content, NamedSlug } from '#demo/load-content.ts';
import {
  type Author,
  type PublishedEvent,
  publishAuthors,
  publishEvents,
  startOfDay,
} from '#demo/publish-content.ts';
import { eventOf } from '#demo/serializers.ts';
import { stableId } from '#demo/stable-id.ts';
import { pageOf, positiveInteger } from './paging.ts';

const EVENTS_PAGE = 12;

export interface ListRoutesDeps {
  content: Content;
  /** Epoch milliseconds, from which the dates of the content count. */
  clock: () => number;
}

/** Lists of everything but posts: authors, categories, advertisements and events. */
export function listRoutes(app: FastifyInstance, { content, clock }: ListRoutesDeps): void {
  const authors = publishAuthors(content);
  app.get<{ Params: { id: string } }>('/api/author/:id', async ({ params }) => ({
    result: authors.filter(({ id }) => String(id) === params.id).map(authorOf),
  }));
  app.get('/api/category/all', async () => content.categories.map(categoryOf));
  app.get('/api/category/subcatlist', async () => content.subcategories.map(subcategoryOf));
  app.get('/api/advertisement/get_active', async () => content.advertisements.map(advertisementOf));
  eventRoutes(app, publishEvents(content, clock()), clock);
}

/** The three lists of events and the detail. `events` are sorted by date. */
function eventRoutes(app: FastifyInstance, events: readonly PublishedEvent[], clock: () => number): void {
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

function authorOf(author: Author) {
  return {
    id: author.id,
    author_name: author.key,
    author_display_name: author.name,
    author_description: author.description,
    author_photo: author.photo ? `/authors/${author.key}.jpg` : null,
    user_status: 0,
    user_role: 'author',
  };
}

function advertisementOf(ad: AdvertisementEntry) {
  return {
    id: stableId(ad.key),
    banner_type: ad.slot,
    banner_img: `/ads/${ad.key}.jpg`,
    banner_name: `${ad.advertiser}: ${ad.headline}`,
    dest_url: ad.destination,
    duration_time: ad.seconds,
    status: 'active',
  };
}

function categoryOf({ slug, name }: NamedSlug, index: number) {
  return { id: index + 1, cat_slug: slug, cat_name: name, cat_parent: 0 };
}

function subcategoryOf({ slug, name }: NamedSlug, index: number) {
  return { id: index + 1, subcat_slug: slug, subcat_name: name };
}
