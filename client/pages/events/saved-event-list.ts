import type { EventListState } from './event-list-state.ts';

/**
 * Notes a list in this entry of the history, where it is found again after Back, with each card's text. A reload starts
 * with the first page again, as the server renders it.
 */
export function saveEventList(list: EventListState): void {
  window.history.replaceState({ ...window.history.state, eventList: list }, '');
}

/** Returns the list that was noted in this entry of the history; null where there is none. */
export function savedEventList(): EventListState | null {
  const state: unknown = window.history.state;
  const list = state instanceof Object && 'eventList' in state ? state.eventList : null;
  return isEventList(list) ? list : null;
}

/** Only this code writes it: what is checked tells it from what an older build wrote. */
function isEventList(value: unknown): value is EventListState {
  return (
    value instanceof Object &&
    'events' in value &&
    Array.isArray(value.events) &&
    'shown' in value &&
    typeof value.shown === 'number' &&
    'page' in value &&
    'hasMore' in value
  );
}
