import type { Event, Thing } from 'schema-dts';
import type { EventPage } from '#shared/models/event.ts';
import { eventPath, eventsPath, imageUrl } from '#shared/urls.ts';
import { breadcrumbs } from './breadcrumbs.ts';
import { organizationId } from './site-graph.ts';

/** An event, and the way to it. */
export function eventGraph({ event }: EventPage, origin: string): Thing[] {
  const url = new URL(eventPath(event.slug), origin).href;
  const online = event.location === null || /^online$/i.test(event.location);
  const thing: Event = {
    '@type': 'Event',
    '@id': `${url}#event`,
    name: event.title,
    url,
    description: event.summary || event.title,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: online
      ? 'https://schema.org/OnlineEventAttendanceMode'
      : 'https://schema.org/OfflineEventAttendanceMode',
    location: online
      ? { '@type': 'VirtualLocation', url: event.link ?? url }
      : { '@type': 'Place', name: event.location ?? '', address: event.location ?? '' },
    organizer: { '@id': organizationId(origin) },
    ...(event.date && { startDate: event.date }),
    ...(event.banner && { image: new URL(imageUrl(event.banner, 1200), origin).href }),
  };
  const way = breadcrumbs(origin, [
    { name: 'Events', path: eventsPath('all') },
    { name: event.title, path: eventPath(event.slug) },
  ]);
  return [thing, way];
}
