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
 * Returns a date as ISO 8601, or null where there is none: in UTC, or with the offset of another `timeZone`, so that its text
 * has the day and the time that its readers' clocks show. Reads ISO 8601 (calendar dates, basic and extended,
 * with and without a time), `YYYY-MM-DD HH:MM:SS`, RFC 2822, and epoch seconds and milliseconds, from 1990 to 2100.
 * Without a zone it is of `timeZone`. Eight digits are a basic date. Week dates, ordinal dates, every other form, and days
 * and times that do not exist are null.
 */
export function normaliseDate(value: string | null, timeZone = 'UTC'): string | null {
  const text = value?.trim() ?? '';
  if (text.length > MAX_LENGTH) return null;
  const write = (ms: number) => isoOf(ms, timeZone);
  if (EPOCH.test(text)) return write(Math.round(Number(text) * 1000)) ?? write(Number(text));
  const iso = partsOf(text);
  if (iso) {
    const ms = msOfIso(iso);
    return write(iso.zone === undefined ? ms - offsetOfLocal(ms, timeZone) : ms);
  }
  const { day, month, year } = RFC_2822.exec(text)?.groups ?? {};
  return isOnCalendar(`${day} ${month} ${year} UTC`, day) ? write(Date.parse(text)) : null;
}

/** The same for a day, which is one of UTC wherever it is read: it stays that day. */
export function normaliseDay(value: string | null, timeZone = 'UTC'): string | null {
  const parts = partsOf(value?.trim().slice(0, MAX_LENGTH) ?? '');
  return normaliseDate(value, parts && parts.hour === undefined ? 'UTC' : timeZone);
}

function partsOf(text: string) {
  return (EXTENDED.exec(text) ?? BASIC.exec(text))?.groups;
}

/** Null for no number, and for years out of range. */
function isoOf(ms: number, timeZone: string): string | null {
  if (!(ms >= EARLIEST && ms < END)) return null;
  if (timeZone === 'UTC') return new Date(ms).toISOString();
  const offset = offsetOf(ms, timeZone);
  const minutes = Math.abs(offset) / 60_000;
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const local = new Date(ms + offset).toISOString().slice(0, -1);
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a zone from UTC at an instant, in milliseconds. Offsets of today are whole minutes. */
function offsetOf(ms: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The same for a time of its clocks: `local` is that time as if it were of UTC. A time that is skipped in spring is of before. */
function offsetOfLocal(local: number, timeZone: string): number {
  if (timeZone === 'UTC' || Number.isNaN(local)) return 0;
  const before = offsetOf(local - 86_400_000, timeZone);
  return offsetOf(local - before, timeZone);
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
