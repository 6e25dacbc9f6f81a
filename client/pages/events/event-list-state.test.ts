import { describe, expect, it, vi } from 'vitest';
import type { EventSummary } from '#shared/models/event.ts';
import { appended, firstPage, hasHidden, offersMore, revealed, savedEventList } from './event-list-state.ts';

function events(from: number, count: number): EventSummary[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(from + index),
    slug: `event-${from + index}`,
    title: 'Event',
    banner: null,
    location: null,
    date: null,
    description: '',
  }));
}

const page = (number: number, totalPages: number, list: EventSummary[]) => ({
  events: list,
  pagination: { page: number, totalPages },
});

describe('the event list', () => {
  it('shows nine of what is loaded, and nine more at a time', () => {
    const list = firstPage(page(1, 1, events(0, 20)));
    expect(list.shown).toBe(9);
    expect(revealed(list).shown).toBe(18);
    expect(hasHidden(revealed(revealed(list)))).toBe(false);
  });

  it('offers more while events are hidden or the server has pages, and only with more than nine loaded', () => {
    expect(offersMore(firstPage(page(1, 1, events(0, 9))))).toBe(false);
    expect(offersMore(firstPage(page(1, 3, events(0, 9))))).toBe(false);
    expect(offersMore(firstPage(page(1, 1, events(0, 10))))).toBe(true);
    expect(offersMore(revealed(firstPage(page(1, 1, events(0, 10)))))).toBe(false);
    expect(offersMore(revealed(firstPage(page(1, 2, events(0, 10)))))).toBe(true);
  });

  it('appends only events whose id is new', () => {
    const list = appended(firstPage(page(1, 2, events(0, 12))), page(2, 2, events(10, 5)));
    expect(list.events.map(({ id }) => id)).toEqual(events(0, 15).map(({ id }) => id));
    expect(list.hasMore).toBe(false);
  });

  it('has an event once that a page lists twice', () => {
    const first = firstPage(page(1, 2, [...events(0, 9), ...events(0, 3)]));
    expect(offersMore(first)).toBe(false);
    const list = appended(first, page(2, 2, [...events(9, 2), ...events(9, 2)]));
    expect(list.events.map(({ id }) => id)).toEqual(events(0, 11).map(({ id }) => id));
    expect(list.shown).toBe(11);
  });

  it('shows nine of a further page, and fewer where there are fewer', () => {
    const list = revealed(firstPage(page(1, 3, events(0, 12))));
    expect(list.shown).toBe(12);
    const next = appended(list, page(2, 3, events(12, 12)));
    expect(next.shown).toBe(21);
    expect(hasHidden(next)).toBe(true);
    expect(appended(list, page(2, 3, events(12, 2))).shown).toBe(14);
  });

  it('has no more once a page is empty, whatever the total says', () => {
    expect(appended(firstPage(page(1, 9, events(0, 12))), page(2, 9, [])).hasMore).toBe(false);
    expect(firstPage(page(1, 9, [])).hasMore).toBe(false);
  });

  it.each([
    null,
    'text',
    {},
    { eventList: { name: 'all 1', events: 'none' } },
    { eventList: { name: 'all 1', events: [], shown: '9' } },
  ])('is not found in an entry of the history with %j', (state) => {
    vi.stubGlobal('window', { history: { state } });
    expect(savedEventList('all 1')).toBeNull();
    vi.unstubAllGlobals();
  });

  it('is found in the entry of the history that it was noted in', () => {
    const eventList = { ...firstPage(page(1, 2, events(0, 12))), name: 'all 1' };
    vi.stubGlobal('window', { history: { state: { key: 'x', eventList } } });
    expect(savedEventList('all 1')).toEqual(eventList);
    expect(savedEventList('past 1')).toBeNull();
    vi.unstubAllGlobals();
  });
});
