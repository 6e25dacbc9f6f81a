import type { EventSummary, EventsPage } from '#shared/models/event.ts';

/** Events revealed at a time (specification, section 9). */
const EVENTS_PER_STEP = 9;

/** Events that are loaded, and how many of them are shown (specification, section 4, Event list). */
export interface EventListState {
  events: readonly EventSummary[];
  shown: number;
  /** Last server page loaded. */
  page: number;
  hasMore: boolean;
}

/** One page of the server's list. */
type LoadedPage = Pick<EventsPage, 'events' | 'pagination'>;

/** Returns the state of a list whose first page was loaded. */
export function firstPage(loaded: LoadedPage): EventListState {
  return appended({ events: [], shown: 0, page: 0, hasMore: true }, loaded);
}

/** Shows nine more of the loaded events, or all that are left. */
export function revealed(list: EventListState): EventListState {
  return { ...list, shown: Math.min(list.shown + EVENTS_PER_STEP, list.events.length) };
}

/** Appends a server page, each event once and none that is loaded already, and shows nine more. */
export function appended(
  list: EventListState,
  { events, pagination: { page, totalPages } }: LoadedPage,
): EventListState {
  const known = new Set(list.events.map(({ id }) => id));
  const added = events.filter(({ id }) => !known.has(id) && known.add(id));
  return revealed({
    events: [...list.events, ...added],
    shown: list.shown,
    page,
    hasMore: events.length > 0 && page < totalPages,
  });
}

/** Returns whether loaded events are hidden. */
export function hasHidden({ events, shown }: EventListState): boolean {
  return events.length > shown;
}

/** Returns whether to offer Show More: more than nine are loaded, and some are hidden or not loaded yet. */
export function offersMore(list: EventListState): boolean {
  return list.events.length > EVENTS_PER_STEP && (hasHidden(list) || list.hasMore);
}

/**
 * Notes a list in this entry of the history, where it is found again after Back, with each card's text. A reload starts
 * with the first page again, as the server renders it. `name`: of its tab and first page, since the entry may be that of
 * another list already, which is about to be rendered.
 */
export function saveEventList(list: EventListState, name: string): void {
  window.history.replaceState({ ...window.history.state, eventList: { ...list, name } }, '');
}

/** Returns the list of that name that was noted in this entry of the history; null where there is none. */
export function savedEventList(name: string): EventListState | null {
  const state: unknown = window.history.state;
  const list = state instanceof Object && 'eventList' in state ? state.eventList : null;
  return isEventList(list, name) ? list : null;
}

/** Only this code writes it: what is checked tells it from what an older build wrote. */
function isEventList(value: unknown, name: string): value is EventListState {
  return (
    value instanceof Object &&
    'name' in value &&
    value.name === name &&
    'events' in value &&
    Array.isArray(value.events) &&
    'shown' in value &&
    typeof value.shown === 'number' &&
    'page' in value &&
    'hasMore' in value
  );
}
