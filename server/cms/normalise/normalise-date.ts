/** Years that a post or an event can have. */
const EARLIEST = Date.UTC(1990, 0, 1);
const END = Date.UTC(2101, 0, 1);

const MAX_LENGTH = 64;

/** ISO 8601, extended and basic. SQL writes a space in place of the `T`. */
const EXTENDED =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)? ?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const BASIC =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** RFC 2822, 3.3, with the two-digit years and zone names of 4.3, and a comment at the end. */
const RFC_2822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*,\s*)?(?<day>\d{1,2})\s+(?<month>[A-Z]{3})\s+(?<year>\d{4}|\d\d)\s+\d\d:\d\d(?::\d\d)?\s+(?:[+-]\d{4}|[A-Z]{1,3})(?:\s*\([^()]*\))?$/i;

const EPOCH = /^\d{9,13}(?:\.\d{1,9})?$/;

/**
 * Returns a date as ISO 8601 in UTC, or null where there is none. Reads ISO 8601 (calendar dates, basic and extended,
 * with and without a time), `YYYY-MM-DD HH:MM:SS`, RFC 2822, and epoch seconds and milliseconds, from 1990 to 2100.
 * Without a zone it is UTC. Eight digits are a basic date. Week dates, ordinal dates, every other form, and days and
 * times that do not exist are null.
 */
export function normaliseDate(value: string | null): string | null {
  const text = value?.trim() ?? '';
  if (text.length > MAX_LENGTH) return null;
  if (EPOCH.test(text)) return isoOf(Math.round(Number(text) * 1000)) ?? isoOf(Number(text));
  const iso = (EXTENDED.exec(text) ?? BASIC.exec(text))?.groups;
  if (iso) return isoOf(msOfIso(iso));
  const { day, month, year } = RFC_2822.exec(text)?.groups ?? {};
  return isOnCalendar(`${day} ${month} ${year} UTC`, day) ? isoOf(Date.parse(text)) : null;
}

/** Null for no number, and for years out of range. */
function isoOf(ms: number): string | null {
  return ms >= EARLIEST && ms < END ? new Date(ms).toISOString() : null;
}

/** Returns epoch milliseconds; NaN for a day that no calendar has or a time that no clock shows. */
function msOfIso(parts: Readonly<Record<string, string | undefined>>): number {
  const { year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z' } = parts;
  const date = `${year}-${month}-${day}`;
  if (!isOnCalendar(date, day)) return Number.NaN;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return Date.parse(`${date}T${hour}:${minute}:${second}.${fraction}${hours ? `${hours}:${minutes}` : 'Z'}`);
}

/** Date parsing takes 30 February for 2 March. */
function isOnCalendar(date: string, day: string | undefined): boolean {
  return new Date(date).getUTCDate() === Number(day);
}
