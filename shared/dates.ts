/** Formats dates as their text has them, in UTC or with an offset, so that server and browser render the same text. */

import * as en from './texts/en.ts';
import type { Translate } from './texts/translate.ts';

// Not `Intl`: it took an eighth of the render time of a page of cards, and browsers differ in it.
function format(pattern: string, iso: string, t: Translate): string {
  // The day of its own zone, as one of UTC.
  const date = new Date(iso.slice(0, 10));
  const nameOf = (names: string, index: number) => t(names).split(' ')[index] ?? '';
  return t(pattern, {
    day: date.getUTCDate(),
    year: date.getUTCFullYear(),
    month: nameOf(en.monthNames, date.getUTCMonth()),
    shortMonth: nameOf(en.shortMonthNames, date.getUTCMonth()),
    weekday: nameOf(en.dayNames, date.getUTCDay()),
  });
}

/** Formats a valid ISO date as `Nov 20, 2026` (specification: short date). */
export function shortDate(iso: string, t: Translate): string {
  return format(en.shortDate, iso, t);
}

/** Formats a valid ISO date as `Friday, November 20, 2026`. */
export function longDate(iso: string, t: Translate): string {
  return format(en.longDate, iso, t);
}

/** Formats a valid ISO date as `November 2026`. */
export function monthAndYear(iso: string, t: Translate): string {
  return format(en.monthAndYear, iso, t);
}

/** Formats the day of a valid ISO date as `20`. */
export function dayOfMonth(iso: string, t: Translate): string {
  return format('{day}', iso, t);
}

/** Formats the month of a valid ISO date as `Nov`. */
export function shortMonth(iso: string, t: Translate): string {
  return format('{shortMonth}', iso, t);
}
