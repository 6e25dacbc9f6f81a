import { de } from '#shared/texts/de.ts';
import * as en from '#shared/texts/en.ts';

/** Years that a post or an event can have. */
const EARLIEST = Date.UTC(1990, 0, 1);
const END = Date.UTC(2101, 0, 1);

const MAX_LENGTH = 96;

/** ISO 8601, extended and basic. SQL writes a space in place of the `T`, and others `/` in place of `-`. */
const EXTENDED =
  /^(?<year>\d{4})(?<separator>[-/])(?<month>\d\d)\k<separator>(?<day>\d\d)(?:[T ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)? ?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const BASIC =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** RFC 2822, 3.3, with the two-digit years and zone names of 4.3, and a comment at the end. */
const RFC_2822 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*,\s*)?(?<day>\d{1,2})\s+(?<month>[A-Z]{3})\s+(?<year>\d{4}|\d\d)\s+\d\d:\d\d(?::\d\d)?\s+(?:[+-]\d{4}|[A-Z]{1,3})(?:\s*\([^()]*\))?$/i;

/** In words, as `November 15, 2026` or `15. November 2026`, perhaps after a weekday and before a time. JavaScript appends its zone. */
const WEEKDAY = String.raw`^(?:\p{L}{2,10}\.?,?\s+)?`;
const TIME = String.raw`(?:,?\s+(?:at\s+|um\s+)?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?\s?(?:(?<half>[ap])\.?m\.?|Uhr|GMT(?<zone>[+-]\d{4})(?:\s\([^()]*\))?)?)?$`;
const IN_WORDS = [
  String.raw`(?<month>\p{L}{3,9})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})`,
  String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?<month>\p{L}{3,9})\.?,?\s+(?<year>\d{4})`,
].map((date) => new RegExp(WEEKDAY + date + TIME, 'iu'));
const MONTHS = [en.monthNames, de.monthNames].map((names) => names.toLowerCase().split(' '));

const EPOCH = /^\d{9,13}(?:\.\d{1,9})?$/;

/**
 * Returns a date as ISO 8601, or null where there is none: in UTC, or with the offset of another `timeZone`, so that its text
 * has the day and the time that its readers' clocks show. Reads ISO 8601 (calendar dates, basic and extended,
 * with and without a time), `YYYY-MM-DD HH:MM:SS`, both also with `/`, RFC 2822, months in English and German words, and
 * epoch seconds and milliseconds, from 1990 to 2100. Without a zone it is of `timeZone`. Eight digits are a basic date.
 * Week dates, ordinal dates, every other form, and days and times that do not exist are null.
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
  return (EXTENDED.exec(text) ?? BASIC.exec(text))?.groups ?? partsInWords(text);
}

function partsInWords(text: string): Readonly<Record<string, string | undefined>> | undefined {
  const groups = IN_WORDS.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  if (!groups) return undefined;
  const { month = '', day, hour, half = '' } = groups;
  // Also the first letters of a name.
  const isMonth = (name: string) => name.startsWith(month.toLowerCase());
  const number = Math.max(...MONTHS.map((names) => names.findIndex(isMonth))) + 1;
  // 12 am is midnight, and 12 pm noon.
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    ...groups,
    month: two(number),
    day: two(Number(day)),
    hour: hour === undefined ? undefined : two(hours),
  };
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
