import { describe, expect, it } from 'vitest';
import type { EventDetail } from '#shared/models/event.ts';
import { defaultSite } from '#shared/site.ts';
import { eventGraph } from './event-graph.ts';

const origin = 'https://www.example.com';

function graphOf(given: Partial<EventDetail>) {
  const event: EventDetail = {
    id: '1',
    slug: 'a-day',
    title: 'A day',
    banner: null,
    location: 'Lisbon',
    date: '2026-11-24T00:00:00.000Z',
    endDate: null,
    descriptionHtml: '',
    summary: 'What it is about',
    link: null,
    video: null,
    ...given,
  };
  return eventGraph({ event, sidebar: { latest: [], popular: [] }, ads: [] }, origin, defaultSite);
}

describe('eventGraph', () => {
  it('describes an event, its place and its breadcrumbs', () => {
    const [event, trail] = graphOf({ link: 'https://host.example.org/day' });
    expect(event).toMatchObject({
      '@type': 'Event',
      name: 'A day',
      url: `${origin}/events/a-day`,
      startDate: '2026-11-24',
      location: { '@type': 'Place', name: 'Lisbon' },
      organizer: { name: 'host.example.org', url: 'https://host.example.org/day' },
    });
    expect(trail).toMatchObject({ '@type': 'BreadcrumbList' });
  });

  it('has the end date where it is known', () => {
    expect(
      graphOf({ date: '2026-11-24T09:30:00.000Z', endDate: '2026-11-26T17:00:00.000Z' })[0],
    ).toMatchObject({
      startDate: '2026-11-24T09:30:00.000Z',
      endDate: '2026-11-26T17:00:00.000Z',
    });
  });

  it('describes an online event', () => {
    expect(graphOf({ location: 'Online' })[0]).toMatchObject({
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: `${origin}/events/a-day` },
    });
  });

  it('says that an unknown place is to be announced, and leaves out date and organiser', () => {
    const [event] = graphOf({ location: null, date: null });
    expect(event).toMatchObject({ location: { '@type': 'Place', name: 'To be announced' } });
    for (const property of ['startDate', 'endDate', 'organizer', 'eventAttendanceMode'])
      expect(event).not.toHaveProperty(property);
  });
});
