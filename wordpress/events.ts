import { z } from 'zod';
import type { ContentReader } from './content-reader.ts';
import { picturePath } from './pictures.ts';
import { eventPath, slug, text } from './post-fields.ts';
import { moved } from './redirects.ts';
import type { Discovery } from './rest-api-discovery.ts';
import { inPlaceOf, type RestClient, WordpressFailed } from './rest-client.ts';

const EVENTS = 'tribe/events/v1/events';
/** As many as The Events Calendar sends at once, of any date: without dates it sends what is to come. */
const LIST = { start_date: '2000-01-01', end_date: '2100-01-01', per_page: 50 };
/** The first and the last ones: what is to come is on the last. */
const MAX_PAGES = 20;
const EVENTS_A_PAGE = 9;

const WpEvent = z.object({
  id: z.number(),
  slug,
  url: z.string().catch(''),
  title: z.string(),
  description: text,
  utc_start_date: z.string(),
  utc_end_date: z.string(),
  all_day: z.boolean().catch(false),
  start_date: z.string().catch(''),
  end_date: z.string().catch(''),
  website: text,
  // What is missing is an empty list or false.
  image: z.object({ url: text }).catch({ url: null }),
  venue: z.object({ venue: text, city: text, country: text }).catch({}),
});
const Page = z.object({ events: z.array(z.unknown()), total_pages: z.number() });
const noEvents = inPlaceOf(({ code }) => code === 'event-archive-page-not-found', {
  body: { events: [], total_pages: 0 },
});

/** Reads the events of The Events Calendar; there are none where it is not installed. */
export function createEvents(
  client: RestClient,
  { discovered, rewritten }: Pick<ContentReader, 'discovered' | 'rewritten'>,
) {
  /** All events: what is to come first, then what is past, the newest first. */
  async function all() {
    const discovery = await discovered();
    const found: unknown[] = [];
    for (
      let page = 1, pages = discovery.hasEvents ? 1 : 0;
      page <= pages;
      page = Math.max(page + 1, pages - MAX_PAGES + 2)
    ) {
      const { body } = await client.get(discovery.root, EVENTS, { ...LIST, page }).catch(noEvents);
      const list = Page.safeParse(body).data;
      if (!list) throw new WordpressFailed('another shape than a list of events');
      found.push(...list.events);
      pages = list.total_pages;
    }
    const now = new Date().toISOString().replace('T', ' ');
    const events = client
      .fitting(EVENTS, found, WpEvent)
      .sort((a, b) => a.utc_start_date.localeCompare(b.utc_start_date))
      .map((given) => ({
        isPast: given.utc_end_date < now,
        event: eventOf(given, discovery),
        link: given.url,
      }));
    return [...events.filter(({ isPast }) => !isPast), ...events.filter(({ isPast }) => isPast).reverse()];
  }

  return {
    /** One page of the events that are past, to come, or both (null). */
    async page(isPast: boolean | null, number: number) {
      const events = (await all()).filter((each) => isPast === null || each.isPast === isPast);
      const shown = events.slice((number - 1) * EVENTS_A_PAGE, number * EVENTS_A_PAGE);
      return {
        eventData: shown.map(({ event }) => event),
        pagination: { totalItems: events.length, totalPages: Math.ceil(events.length / EVENTS_A_PAGE) },
      };
    },
    /** The event with a slug, with addresses of the site in its description. None where there is none. */
    async find(slug: string) {
      const found = (await all()).find(({ event }) => event.event_slug === slug);
      if (!found) return [];
      const body = { content: { rendered: found.event.event_desc ?? '' }, link: found.link };
      return [{ ...found.event, event_desc: await rewritten(body) }];
    },
    /** Yields the old path of every event that has another one now, and that. */
    async *redirects(): AsyncGenerator<[from: string, to: string]> {
      for (const { event, link } of await all()) yield* moved({ link }, eventPath(event.event_slug));
    },
  };
}

function eventOf({ venue, image, ...event }: z.infer<typeof WpEvent>, discovery: Discovery) {
  const banner = picturePath(image.url, discovery);
  // Midnight of the event's own zone is another day in others.
  const dateOf = (utc: string, local: string) =>
    event.all_day && local !== '' ? local.slice(0, 10) : `${utc}Z`;
  return {
    event_id: event.id,
    event_title: event.title,
    event_slug: event.slug,
    event_banner: banner,
    event_location: [venue.venue, venue.city, venue.country].filter(Boolean).join(', '),
    event_date: dateOf(event.utc_start_date, event.start_date),
    event_end_date: dateOf(event.utc_end_date, event.end_date),
    event_desc: event.description,
    event_link: event.website,
    banner_show: banner === null ? 0 : 1,
  };
}
