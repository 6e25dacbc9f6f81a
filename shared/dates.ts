/** Dates as readers see them. UTC throughout, so that server and browser write the same text. */

const short = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const long = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});

/** `Nov 20, 2026`: the specification's short date (year, abbreviated month, day). */
export function shortDate(iso: string): string {
  return short.format(new Date(iso));
}

/** `Friday, November 20, 2026`. */
export function longDate(iso: string): string {
  return long.format(new Date(iso));
}
