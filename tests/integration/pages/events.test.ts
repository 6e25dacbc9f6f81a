import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventPage, EventsPage } from '#shared/models/event.ts';
import { type SiteUnderTest, startSiteUnderTest } from '../site-under-test.ts';
import { headingOf } from './markup.ts';

let site: SiteUnderTest;
let slug: string;

beforeAll(async () => {
  site = await startSiteUnderTest();
  const { body } = await request(site.origin).get('/api/events');
  slug = EventsPage.parse(body).events[0]?.slug ?? '';
});

afterAll(() => site.close());

afterEach(() => site.faults([]));

const get = (path: string) => request(site.origin).get(path);
const cards = (html: string) => html.match(/<article class="event-card/g)?.length ?? 0;

describe('the event list', () => {
  it('has all events of a server page in the HTML, nine of them in sight, and a way to the next page', async () => {
    const { text } = await get('/events').expect(200);
    expect(cards(text)).toBe(12);
    expect(text.match(/event-card is-hidden/g)).toHaveLength(3);
    expect(text).toMatch(/<form class="events-more" action="\/events">.*name="page" value="2".*Show More/s);
  });

  it.each([
    ['/events', 'All Events'],
    ['/events?tab=upcoming', 'Upcoming Events'],
    ['/events?tab=past', 'Past Events'],
    ['/events?tab=nonsense', 'All Events'],
  ])('marks the tab of %s', async (path, name) => {
    const { text } = await get(path).expect(200);
    expect(text.match(/aria-current="page"[^>]*>([^<]+)</)?.[1]).toBe(name);
  });

  it('shows other events under each tab, and the page that the address names', async () => {
    const slugs = async (path: string) =>
      [...(await get(path).expect(200)).text.matchAll(/<h3[^>]*><a href="\/events\/([^"]+)"/g)].map(
        ([, name]) => name,
      );
    const [upcoming, past, second] = await Promise.all(
      ['/events?tab=upcoming', '/events?tab=past', '/events?page=2'].map(slugs),
    );
    expect(upcoming?.some((name) => past?.includes(name))).toBe(false);
    expect(second).toHaveLength(12);
  });

  it('has no Show More with nine events or fewer, whatever the server has beyond', async () => {
    const own = await startSiteUnderTest();
    const eventData = Array.from({ length: 9 }, (_, index) => ({
      event_id: index,
      event_slug: `event-${index}`,
      event_title: `Event ${index}`,
    }));
    const responseData = { eventData, pagination: { totalPages: 3 } };
    await own.faults([{ path: '/api/event/totalevents', kind: 'wrong-json', body: { responseData } }]);
    const { text } = await request(own.origin).get('/events').expect(200);
    expect(cards(text)).toBe(9);
    expect(text).not.toContain('Show More');
    await own.close();
  });

  it('carries in its state only what its cards render', async () => {
    const { text } = await get('/events').expect(200);
    const state = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    for (const { description } of JSON.parse(state).loaderData.events.events) {
      expect(description.length).toBeLessThanOrEqual(103);
      expect(description).toMatch(/\.\.\.$/);
    }
  });
});

describe('an event', () => {
  it('has its title, long date, place, text, share links and sidebar in the HTML', async () => {
    const { body } = await get(`/api/events/${slug}`).expect(200);
    const { event } = EventPage.strict().parse(body);
    const { text } = await get(`/events/${slug}`).expect(200);
    expect(headingOf(text)).toBe(event.title);
    expect(text).toMatch(/<time[^>]*>[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}<\/time>/);
    expect(text).toContain(event.location);
    expect(text).toMatch(/Share on (<!-- -->)?Instagram/);
    expect([...text.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'Latest',
      'Popular',
    ]);
    expect(text).toMatch(/class="event-side".*data-slot="Home-2".*class="event-foot".*data-slot="Footer-3"/s);
    expect(text).toMatch(/role="tab"[^>]*aria-selected="true"[^>]*>Latest</);
    expect(text).toContain(`<link rel="canonical" href="https://www.example.com/events/${slug}"`);
  });

  it('describes itself to search engines', async () => {
    const list = EventsPage.parse((await get('/api/events')).body).events;
    const place = list.find(({ location }) => location !== null && !location.startsWith('Online'));
    const { text } = await get(`/events/${place?.slug}`).expect(200);
    const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    const graph: { '@type': string }[] = JSON.parse(json)['@graph'];
    expect(graph.find((thing) => thing['@type'] === 'Event')).toMatchObject({
      url: `https://www.example.com/events/${place?.slug}`,
      name: place?.title,
      startDate: place?.date,
      location: { '@type': 'Place', name: place?.location },
    });
  });

  it.each([
    { what: 'without spaces', text: 'あ'.repeat(200), start: 'あ'.repeat(160) },
    { what: 'whose only space comes early', text: `A ${'b'.repeat(200)}`, start: `A ${'b'.repeat(158)}` },
    { what: 'of words', text: 'four '.repeat(50), start: 'four '.repeat(32).trim() },
  ])('describes itself by 160 characters of a text $what', async ({ text, start }) => {
    const event = {
      event_id: 1,
      event_slug: 'described',
      event_title: 'Event',
      event_desc: `<p>${text}</p>`,
    };
    const own = await startSiteUnderTest({}, { demoCms: site.demoCms });
    await own.faults([
      { path: '/api/event/eventdetails/described', kind: 'wrong-json', body: { eventData: [event] } },
    ]);
    const { text: html } = await request(own.origin).get('/events/described').expect(200);
    expect(html).toContain(`<meta name="description" content="${start}…"/>`);
    await own.close();
  });

  it('has one address, that of its own slug, whatever spelling the upstream takes', async () => {
    const body = {
      eventData: [{ event_id: 1, event_slug: 'ev-case', event_title: 'Event', event_date: '2026-05-01' }],
    };
    const own = await startSiteUnderTest({}, { demoCms: site.demoCms });
    await own.faults([{ path: '/api/event/eventdetails/*', kind: 'wrong-json', body }]);
    await request(own.origin).get('/events/EV-CASE').expect(301).expect('location', '/events/ev-case');
    await request(own.origin).get('/events/EV-CASE.ics').expect(404);
    await request(own.origin).get('/events/ev-case.ics').expect(200);
    await own.close();
  });

  it('that the upstream does not know is the 404 page', async () => {
    await get('/events/no-such-event')
      .expect(404)
      .expect(/Error 404 - Not Found/);
  });
});

describe('events whose upstream fails', () => {
  let own: SiteUnderTest;

  beforeEach(async () => {
    own = await startSiteUnderTest({ CACHE_EVENT_TTL: '0', CACHE_EVENTS_TTL: '0' });
  });

  afterEach(() => own.close());

  it.each([500, 501, 403])(
    'cold: status %i of an event stays on its page, 503 and not stored',
    async (status) => {
      await own.faults([{ path: '/api/event/eventdetails/*', kind: 'status', status }]);
      const { text, headers } = await request(own.origin).get(`/events/${slug}`).redirects(0).expect(503);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['retry-after']).toBeTruthy();
      expect(text).toContain('This event is not available at the moment.');
      expect(text).toContain('Other Publications');
    },
  );

  it('warm: the event is served stale', async () => {
    await request(own.origin).get(`/events/${slug}`).expect(200);
    await own.faults([{ path: '/api/event/eventdetails/*', kind: 'status', status: 500 }]);
    await request(own.origin).get(`/events/${slug}`).expect(200);
  });

  it('an empty list of events says so, with status 200', async () => {
    const responseData = { eventData: [], pagination: { totalPages: 0 } };
    await own.faults([{ path: '/api/event/past_events', kind: 'wrong-json', body: { responseData } }]);
    await request(own.origin)
      .get('/events?tab=past')
      .expect(200)
      .expect(/No events have been posted yet\./);
  });

  it.each([500, 404])('a list that responds with %i is the empty state with status 503', async (status) => {
    await own.faults([{ path: '/api/event/totalevents', kind: 'status', status }]);
    await request(own.origin)
      .get('/events')
      .expect(503)
      .expect(/No events have been posted yet\./);
  });

  it('a further page of a list that responds with 404 is the 404 page', async () => {
    await own.faults([{ path: '/api/event/totalevents', kind: 'status', status: 404 }]);
    await request(own.origin).get('/events?page=99').expect(404);
  });

  it.each([404, 410])('an event that was there and now responds with %i is the 404 page', async (status) => {
    await request(own.origin).get(`/events/${slug}`).expect(200);
    await own.faults([{ path: '/api/event/eventdetails/*', kind: 'status', status }]);
    const statusOf = async () => (await request(own.origin).get(`/events/${slug}`)).status;
    await expect.poll(statusOf).toBe(404);
  });

  it('an event without its sidebar’s lists and its ads is still an event', async () => {
    await own.faults([
      { path: '/api/post/*', kind: 'status', status: 500 },
      { path: '/api/advertisement/*', kind: 'hang' },
    ]);
    const shortWaitSite = await startSiteUnderTest({}, { demoCms: own.demoCms, optionalWaitMs: 1_000 });
    await request(shortWaitSite.origin).get(`/events/${slug}`).expect(200);
    await shortWaitSite.close();
  });
});
