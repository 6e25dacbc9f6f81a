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
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*,\s*)?(?<day>\d{1,2})\s+(?<month>[A-Z]{3})\s+(?<year>\d{4}|\d\d)\s+(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?\s+(?<zone>[+-]\d{4}|[A-Z]{1,3})(?:\s*\([^()]*\))?$/i;

const EPOCH = /^\d{9,13}(?:\.\d{1,9})?$/;

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const ZONES: Record<string, string> = {
  Z: '+00',
  UT: '+00',
  UTC: '+00',
  GMT: '+00',
  EDT: '-04',
  EST: '-05',
  CDT: '-05',
  CST: '-06',
  MDT: '-06',
  MST: '-07',
  PDT: '-07',
  PST: '-08',
};

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
  const parts = (EXTENDED.exec(text) ?? BASIC.exec(text) ?? RFC_2822.exec(text))?.groups;
  return parts ? isoOf(dayOf(parts) + timeOf(parts) - offsetOf(parts['zone'])) : null;
}

/** Null for no number, and for years out of range. */
function isoOf(ms: number): string | null {
  return ms >= EARLIEST && ms < END ? new Date(ms).toISOString() : null;
}

type Parts = Readonly<Record<string, string | undefined>>;

/** Returns the start of a day in epoch milliseconds; NaN where no calendar has it. */
function dayOf({ year = '', month = '', day }: Parts): number {
  const date = new Date(0);
  const monthIndex = /\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month.toUpperCase());
  date.setUTCFullYear(yearOf(year), monthIndex, Number(day));
  const exists = date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day);
  return exists ? date.getTime() : Number.NaN;
}

function yearOf(digits: string): number {
  if (digits.length === 4) return Number(digits);
  return Number(digits) + (Number(digits) < 50 ? 2000 : 1900);
}

/** Returns milliseconds since the start of the day; NaN where no clock shows it. `24:00` is the end of a day. */
function timeOf({ hour = '0', minute = '0', second = '0', fraction = '0' }: Parts): number {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  return minutes < 60 && seconds < 60 && ms <= 86_400_000 ? ms : Number.NaN;
}

/** Returns milliseconds east of UTC; NaN for an unknown zone. */
function offsetOf(zone = 'Z'): number {
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(ZONES[zone.toUpperCase()] ?? zone);
  if (!offset) return Number.NaN;
  const [, sign, hours, minutes = '0'] = offset;
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
