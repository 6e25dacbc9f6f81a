import type { EventSummary } from '#shared/models/event.ts';

/** Revealed at a time (specification, section 9). */
export const EVENTS_PER_STEP = 9;

/** What the event list holds and how much of it is in sight (specification, section 4, Event list). */
export interface EventListState {
  events: readonly EventSummary[];
  shown: number;
  /** The last server page that was loaded. */
  page: number;
  hasMore: boolean;
}

/** One page as the server answers it. */
export interface LoadedPage {
  events: readonly EventSummary[];
  pagination: { page: number; totalPages: number };
}

/** The list of a tab that was just opened. */
export function firstPage({ events, pagination: { page, totalPages } }: LoadedPage): EventListState {
  return {
    events,
    shown: Math.min(EVENTS_PER_STEP, events.length),
    page,
    hasMore: events.length > 0 && page < totalPages,
  };
}

/** Nine more of what is loaded, or all that is left of it. */
export function revealed(list: EventListState): EventListState {
  return { ...list, shown: Math.min(list.shown + EVENTS_PER_STEP, list.events.length) };
}

/** A further server page: only events that are new are appended, and nine more come into sight. */
export function appended(
  list: EventListState,
  { events, pagination: { page, totalPages } }: LoadedPage,
): EventListState {
  const known = new Set(list.events.map(({ id }) => id));
  const fresh = events.filter(({ id }) => !known.has(id));
  return revealed({
    events: [...list.events, ...fresh],
    shown: list.shown,
    page,
    hasMore: events.length > 0 && page < totalPages,
  });
}

/** True while loaded events are out of sight. */
export function hasHidden({ events, shown }: EventListState): boolean {
  return events.length > shown;
}

/** Show More stands only with more than nine loaded, and something left to show. */
export function offersMore(list: EventListState): boolean {
  return list.events.length > EVENTS_PER_STEP && (hasHidden(list) || list.hasMore);
}
