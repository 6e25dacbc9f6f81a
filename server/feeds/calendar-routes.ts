import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { primaryResource, rejectImpossibleSlugs } from '#server/content/primary-resource.ts';
import { NotFound } from '#server/errors.ts';
import { createSendCachedText } from '#server/http/response/send-cached-text.ts';
import { feedKey } from '#server/render/response-cache/response-cache.ts';
import type { EventDetail } from '#shared/models/event.ts';
import type { SiteSettings } from '#shared/site.ts';
import { SiteError } from '#shared/site-error.ts';
import { decodeDots, eventPath, isOtherSpelling } from '#shared/urls.ts';
import type { FeedRoutesOptions } from './feed-routes.ts';

const TYPE = 'text/calendar; charset=utf-8';

const EventParams = z.object({ slug: z.string().min(1).transform(decodeDots) });

/** The calendar of each event (RFC 5545), at its path with `.ics` appended, which counts no view. */
export async function calendarRoutes(app: FastifyInstance, options: FeedRoutesOptions): Promise<void> {
  const { config, queries, cache, site, clock } = options;
  const sendCachedText = createSendCachedText(options);

  app.get('/events/:slug.ics', (request, reply) => {
    const { data } = EventParams.safeParse(request.params);
    if (!data) throw new NotFound();
    const key = feedKey(`${eventPath(data.slug)}.ics`);
    return sendCachedText(request, reply, { key, type: TYPE }, async (tracker) => {
      rejectImpossibleSlugs(data.slug);
      const event = await primaryResource(cache.read(queries.event(data.slug), tracker));
      // As its page, it has one address.
      if (isOtherSpelling(data.slug, event.slug))
        throw new SiteError('not-found', 'The event has another address.');
      const { date } = event;
      if (date === null) throw new SiteError('not-found', 'The date of this event is not known.');
      return calendar({ ...event, date }, config.publicOrigin, clock.now(), site.settings());
    });
  });
}

/** RFC 5545, 3.1: octets of a line, its break not included. */
const MAX_LINE_BYTES = 75;
const DAY_MS = 86_400_000;

/** An event that has a date: a calendar can hold no other. */
export type DatedEvent = EventDetail & { date: string };

/**
 * Returns an event as an iCalendar object (RFC 5545). A date without a time of day is an event of whole days. `origin`:
 * base of its link. `now`: wall-clock milliseconds.
 */
export function calendar(event: DatedEvent, origin: string, now: number, site: SiteSettings): string {
  const url = new URL(eventPath(event.slug), origin);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    property('PRODID', `-//${site.name}//Events//EN`),
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    property('UID', `event-${event.id}@${url.hostname}`),
    `DTSTAMP:${dateTime(now)}`,
    ...period(event),
    property('SUMMARY', event.title),
    ...(event.summary ? [property('DESCRIPTION', event.summary)] : []),
    ...(event.location ? [property('LOCATION', event.location)] : []),
    `URL:${url.href}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** The end of a period is not part of it: whole days end on the day after the last. */
function period({ date, endDate }: DatedEvent): string[] {
  const [start, end] = [Date.parse(date), Date.parse(endDate ?? date)];
  // A time of another zone has an offset in its text.
  if (isDay(date) && isDay(endDate ?? date))
    return [`DTSTART;VALUE=DATE:${day(start)}`, `DTEND;VALUE=DATE:${day(end + DAY_MS)}`];
  return [`DTSTART:${dateTime(start)}`, ...(end > start ? [`DTEND:${dateTime(end)}`] : [])];
}

function isDay(date: string): boolean {
  return date.endsWith('Z') && Date.parse(date) % DAY_MS === 0;
}

function dateTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function day(ms: number): string {
  return dateTime(ms).slice(0, 8);
}

/** A text value (RFC 5545, 3.3.11): line breaks are written out, other control characters are no text. */
function property(name: string, text: string): string {
  const escaped = text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');
  return `${name}:${escaped}`;
}

/** Breaks a long line between characters; each further part begins with a space. */
function fold(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
