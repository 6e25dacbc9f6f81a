const EARLIEST = Date.UTC(1970, 0, 2);
const LATEST = Date.UTC(2100, 0, 1);
/** Epoch values below this are seconds: in milliseconds it would be 1973, in seconds the year 5138. */
const SECONDS_BELOW = 1e11;

const WRITTEN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?)?\s?(Z|[+-]\d{2}:?\d{2})?$/i;

function isoBetween(ms: number): string | null {
  return ms >= EARLIEST && ms < LATEST ? new Date(ms).toISOString() : null;
}

function fromEpoch(value: number): string | null {
  return isoBetween(value < SECONDS_BELOW ? value * 1000 : value);
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** `+0530` and `+05:30` alike; without a zone it is UTC. */
function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}

/**
 * A date as ISO 8601 in UTC. Reads ISO strings, `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` (UTC) and epoch seconds or
 * milliseconds; anything else, and days that no calendar has, is null.
 */
export function normaliseDate(value: string | null): string | null {
  const text = value?.trim() ?? '';
  if (/^\d{6,14}(\.\d{1,9})?$/.test(text)) return fromEpoch(Number(text));
  const match = text.length > 40 ? null : WRITTEN.exec(text);
  if (!match) return null;
  const [
    ,
    year = '',
    month = '',
    day = '',
    hours = '00',
    minutes = '00',
    seconds = '00',
    fraction = '',
    zone,
  ] = match;
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return null;
  const time = `${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}`;
  return isoBetween(Date.parse(`${year}-${month}-${day}T${time}${zoneOf(zone)}`));
}
