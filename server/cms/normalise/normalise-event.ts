import { z } from 'zod';
import { cmsAddress, cmsDate, cmsText, LeftOut, required } from '#server/cms/lenient-parsing.ts';
import type { EventDetail, EventSummary } from '#shared/models/event.ts';
import { isNonPagePath } from '#shared/non-page-path.ts';
import { normaliseDay } from './normalise-date.ts';
import type { ImageResolver } from './normalise-image.ts';
import { cmsMediaLink, normaliseLink, normaliseVideo } from './normalise-link.ts';
import { beginningOf, firstWords, plainText, slugOf, wordsOfSlug } from './normalise-text.ts';

export const cmsEvent = z.object({
  event_id: cmsText,
  event_title: cmsText,
  event_slug: cmsText,
  event_banner: cmsAddress,
  event_location: cmsText,
  event_date: cmsDate,
  // Not in the specification: used where an upstream sends it.
  event_end_date: cmsDate,
  event_desc: cmsText,
  event_link: cmsAddress,
  podcast_link: cmsMediaLink,
});
export type CmsEvent = z.infer<typeof cmsEvent>;

/** Two dates in one text: `2026-11-24/2026-11-26` (ISO 8601), `2026-11-24 to 2026-11-26`, `2026-11-24 – 2026-11-26`. */
const RANGE = /^([^/]{4,40}?)(?:\s*\/\s*|\s+(?:to|until|-|–|—)\s+)([^/]{4,40})$/i;

/** Two dates in words that share their month or their year: `March 3-5, 2027`, `30. März – 2. April 2027`. */
const SHARING =
  /^(?<monthBefore>\p{L}{3,9}\.?\s+)?(?<from>\d{1,2})\.?(?<month>\s+\p{L}{3,9})?\.?\s*(?:-|–|—|to|until|bis)\s*(?<toMonthBefore>\p{L}{3,9}\.?\s+)?(?<to>\d{1,2})\.?(?<toMonth>\s+\p{L}{3,9})?\.?,?\s+(?<year>\d{4})$/iu;

/** Returns both dates of a text that has two. */
function rangeOf(text: string): [from: string | null, to: string | null] {
  const { monthBefore, from, month, toMonthBefore, to, toMonth, year } = SHARING.exec(text)?.groups ?? {};
  const last = toMonthBefore ?? toMonth ?? monthBefore;
  if (last)
    return [`${from} ${(monthBefore ?? month ?? last).trim()} ${year}`, `${to} ${last.trim()} ${year}`];
  const [, first = null, second = null] = RANGE.exec(text) ?? [];
  return [first, second];
}

/** Returns the first and last day of an event; drops an end before the beginning. */
function datesOf(
  { event_date, event_end_date }: CmsEvent,
  timeZone?: string,
): Pick<EventDetail, 'date' | 'endDate'> {
  const [from, to] = rangeOf(event_date?.trim() ?? '');
  const date = normaliseDay(event_date, timeZone) ?? normaliseDay(from, timeZone);
  const end = normaliseDay(event_end_date, timeZone) ?? normaliseDay(to, timeZone);
  return { date, endDate: date !== null && end !== null && Date.parse(end) >= Date.parse(date) ? end : null };
}

/** Returns the title of an event, else its first words; null where it has none. */
function titleOf({ event_title, event_desc }: CmsEvent): string | null {
  return plainText(event_title) ?? firstWords(beginningOf(event_desc));
}

/** Returns a card of the event list. Left out as a post is; the slug replaces a missing id. */
export function normaliseEvent(event: CmsEvent, imageOf: ImageResolver, timeZone?: string): EventSummary {
  const slug = required(slugOf(event.event_slug), 'no slug');
  const title = required(titleOf(event), 'no title');
  const description = beginningOf(event.event_desc);
  if (isNonPagePath(`/events/${slug}`)) throw new LeftOut('the path of a file');
  return {
    id: slugOf(event.event_id) ?? slug,
    slug,
    title,
    banner: imageOf(event.event_banner),
    location: plainText(event.event_location),
    date: datesOf(event, timeZone).date,
    description: description === null ? '' : shortDescription(description),
  };
}

/** Specification, section 9. */
const MAX_DESCRIPTION_LENGTH = 100;

/** Cuts a description at 100 characters, and always appends dots (decisions). */
function shortDescription(text: string): string {
  return `${Array.from(text).slice(0, MAX_DESCRIPTION_LENGTH).join('')}...`;
}

/** Returns an event in full, without its HTML. `slug`: what was asked for; it replaces a missing one, and that of a file. */
export function normaliseEventDetail(
  event: CmsEvent,
  slug: string,
  imageOf: ImageResolver,
  timeZone?: string,
): Omit<EventDetail, 'descriptionHtml'> {
  const own = slugOf(event.event_slug);
  const hasPage = own !== null && !isNonPagePath(`/events/${own}`);
  const addressed = { ...event, event_slug: hasPage ? own : slug };
  if (titleOf(event) === null) addressed.event_title = wordsOfSlug(event.event_slug);
  const { description: _, ...common } = normaliseEvent(addressed, imageOf, timeZone);
  return {
    ...common,
    endDate: datesOf(event, timeZone).endDate,
    summary: plainText(event.event_desc) ?? '',
    link: normaliseLink(event.event_link),
    video: normaliseVideo(event.podcast_link),
  };
}
