import type { EventsPage } from '#shared/models/event.ts';

/** Specification, section 9. */
const MAX_DESCRIPTION_LENGTH = 100;

/** Cuts a description at 100 characters and always appends dots (decisions). Empty for an empty text. */
export function shortDescription(text: string): string {
  if (text === '') return '';
  return `${Array.from(text).slice(0, MAX_DESCRIPTION_LENGTH).join('')}...`;
}

/** Returns the list with the descriptions that its cards show, so that the state block holds no more. */
export function withShortDescriptions(list: EventsPage): EventsPage {
  const events = list.events.map((event) => ({ ...event, description: shortDescription(event.description) }));
  return { ...list, events };
}
