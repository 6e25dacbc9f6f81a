import type { Event, Thing } from 'schema-dts';
import type { EventPage } from '#shared/models/event.ts';
import { eventPath, eventsPath, imageUrl } from '#shared/urls.ts';
import { breadcrumbs } from './breadcrumbs.ts';

/** Returns the structured data of an event, with its breadcrumbs. */
export function eventGraph({ event }: EventPage, origin: string): Thing[] {
  const url = new URL(eventPath(event.slug), origin).href;
  const thing: Event = {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: event.title,
    url,
    description: event.summary || event.title,
    eventStatus: 'https://schema.org/EventScheduled',
    ...place(event.location, event.link ?? url),
    ...(event.link && {
      organizer: { '@type': 'Organization', name: new URL(event.link).hostname, url: event.link },
    }),
    ...(event.date && { startDate: event.date }),
    ...(event.endDate && { endDate: event.endDate }),
    ...(event.banner && { image: new URL(imageUrl(event.banner, 1200), origin).href }),
  };
  const trail = breadcrumbs(origin, [
    { name: 'Events', path: eventsPath('all') },
    { name: event.title, path: eventPath(event.slug) },
  ]);
  return [thing, trail];
}

/** Returns the event's place or its online location; null where it is unknown. */
function place(location: string | null, url: string): Pick<Event, 'location' | 'eventAttendanceMode'> | null {
  if (location === null) return null;
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
