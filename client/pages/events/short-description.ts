import type { EventsPage } from '#shared/models/event.ts';

/** Specification, section 9. */
const DESCRIPTION_AT_MOST = 100;

/** A description cut at 100 characters; dots always follow (decisions). Nothing of nothing. */
export function shortDescription(text: string): string {
  if (text === '') return '';
  return `${Array.from(text).slice(0, DESCRIPTION_AT_MOST).join('')}...`;
}

/** The list as its cards draw it: what is not drawn is not carried to the browser either. */
export function withShortDescriptions(list: EventsPage): EventsPage {
  const events = list.events.map((event) => ({ ...event, description: shortDescription(event.description) }));
  return { ...list, events };
}
