import type { Event, Thing } from 'schema-dts';
import type { EventPage } from '#shared/models/event.ts';
import type { SiteSettings } from '#shared/site.ts';
import * as en from '#shared/texts/en.ts';
import { translator } from '#shared/texts/translate.ts';
import { eventPath, eventsPath } from '#shared/urls.ts';
import { absoluteImage, breadcrumbs } from './site-graph.ts';

/** Returns the structured data of an event, with its breadcrumbs. */
export function eventGraph({ event }: EventPage, origin: string, site: SiteSettings): Thing[] {
  const t = translator(site);
  const url = new URL(eventPath(event.slug), origin).href;
  const thing: Event = {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: event.title,
    url,
    description: event.summary || event.title,
    eventStatus: 'https://schema.org/EventScheduled',
    ...place(event.location, event.link ?? url, t(en.toBeAnnounced)),
    ...(event.link && {
      // The upstream names no organizer: the site that the event's link leads to stands for it.
      organizer: {
        '@type': 'Organization',
        name: new URL(event.link).hostname.replace(/^www\./, ''),
        url: event.link,
      },
    }),
    ...(event.date && { startDate: dayOrInstant(event.date) }),
    ...(event.endDate && { endDate: dayOrInstant(event.endDate) }),
    ...(event.banner && { image: absoluteImage(event.banner, 1200, origin) }),
  };
  const trail = breadcrumbs(origin, site, [
    { name: t(en.events), path: eventsPath('all') },
    { name: event.title, path: eventPath(event.slug) },
  ]);
  return [thing, trail];
}

/** Returns the day alone of an event whose date has no time: midnight would be one. */
function dayOrInstant(date: string): string {
  return date.replace(/T00:00:00(\.0+)?Z$/, '');
}

/** Returns the event's place or its online location. */
function place(
  location: string | null,
  url: string,
  unknown: string,
): Pick<Event, 'location' | 'eventAttendanceMode'> {
  // An event without a place is no event to search engines.
  if (location === null) return { location: { '@type': 'Place', name: unknown, address: unknown } };
  if (/^online\b/i.test(location))
    return {
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url },
    };
  return {
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: { '@type': 'Place', name: location, address: location },
  };
}
