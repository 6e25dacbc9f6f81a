import * as en from './texts/en.ts';
import type { Translate } from './texts/translate.ts';

/**
 * Formats a valid ISO date by a pattern such as `en.shortDate`: the day that its text has, in UTC or with an offset, so that
 * server and browser render the same text. Not by `Intl`: it took an eighth of the render time of a page of cards, and
 * browsers differ in it.
 */
export function formatDate(pattern: string, iso: string, t: Translate): string {
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
