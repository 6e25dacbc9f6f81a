import { describe, expect, it } from 'vitest';
import { formatDate } from './dates.ts';
import * as en from './texts/en.ts';
import { textsOf } from './texts/languages.ts';
import { translator } from './texts/translate.ts';

const t = translator({ texts: null });

const DAY_MS = 86_400_000;

describe('a date', () => {
  it('has the format of Intl in American English, on every day of a leap year and the next', () => {
    const options = { year: 'numeric', day: 'numeric', timeZone: 'UTC' } as const;
    const short = new Intl.DateTimeFormat('en-US', { ...options, month: 'short' });
    const long = new Intl.DateTimeFormat('en-US', { ...options, month: 'long', weekday: 'long' });
    for (let day = Date.UTC(2024, 0, 1); day < Date.UTC(2026, 0, 1); day += DAY_MS) {
      const iso = new Date(day).toISOString();
      expect(formatDate(en.shortDate, iso, t)).toBe(short.format(day));
      expect(formatDate(en.longDate, iso, t)).toBe(long.format(day));
    }
  });

  it('is the day that its text has, in its first and its last millisecond', () => {
    expect(formatDate(en.shortDate, '2026-11-20T00:00:00.000Z', t)).toBe('Nov 20, 2026');
    expect(formatDate(en.longDate, '2026-11-20T23:59:59.999Z', t)).toBe('Friday, November 20, 2026');
    expect(formatDate(en.shortDate, '2026-11-20T23:30:00-05:00', t)).toBe('Nov 20, 2026');
    expect(formatDate('{day}', '2026-11-20T23:30:00-05:00', t)).toBe('20');
  });

  it('is written as in the language of the site', () => {
    const german = translator({ texts: textsOf('de') });
    const iso = '2026-03-05T23:30:00+01:00';
    expect(formatDate(en.shortDate, iso, german)).toBe('5. März 2026');
    expect(formatDate(en.longDate, iso, german)).toBe('Donnerstag, 5. März 2026');
    expect(formatDate(en.monthAndYear, iso, german)).toBe('März 2026');
    expect(formatDate('{shortMonth}', iso, t)).toBe('Mar');
  });
});
