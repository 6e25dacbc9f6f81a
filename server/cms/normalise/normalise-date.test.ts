import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseDate, normaliseDay } from './normalise-date.ts';

it.each([
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05 10:20:30', '2026-01-05T10:20:30.000Z'],
  ['2026-01-05 10:20:30.5', '2026-01-05T10:20:30.500Z'],
  ['2026-01-05 10:20:30+00', '2026-01-05T10:20:30.000Z'],
  ['2026-01-05 10:20:30 +0530', '2026-01-05T04:50:30.000Z'],
  ['2026/01/05', '2026-01-05T00:00:00.000Z'],
  ['2026/01/05 10:20:30', '2026-01-05T10:20:30.000Z'],
  ['2026-01-05T10:20', '2026-01-05T10:20:00.000Z'],
  ['2026-01-05T10', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:20:30.123456Z', '2026-01-05T10:20:30.123Z'],
  ['2026-01-05T10:20:30,25Z', '2026-01-05T10:20:30.250Z'],
  ['2026-01-05T10:20:30.57Z', '2026-01-05T10:20:30.570Z'],
  ['2026-01-05t10:20:30z', '2026-01-05T10:20:30.000Z'],
  ['2026-01-05T10:20:30+05:30', '2026-01-05T04:50:30.000Z'],
  ['2026-01-05T10:20:30+0530', '2026-01-05T04:50:30.000Z'],
  ['2026-01-05T24:00:00Z', '2026-01-06T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['20261120', '2026-11-20T00:00:00.000Z'],
  ['20261120T103000', '2026-11-20T10:30:00.000Z'],
  ['20261120T1030Z', '2026-11-20T10:30:00.000Z'],
  ['20261120T103000.5-0800', '2026-11-20T18:30:00.500Z'],
  ['Fri, 20 Nov 2026 10:20:30 +0000', '2026-11-20T10:20:30.000Z'],
  ['Fri, 20 Nov 2026 10:20:30 GMT', '2026-11-20T10:20:30.000Z'],
  ['20 Nov 2026 10:20 -0500', '2026-11-20T15:20:00.000Z'],
  ['Fri,  20  nov  26 10:20:30 EST (Eastern)', '2026-11-20T15:20:30.000Z'],
  ['1 Jan 99 00:00 UT', '1999-01-01T00:00:00.000Z'],
  ['20 Nov 2026 10:20:30', '2026-11-20T10:20:30.000Z'],
  ['November 15, 2026', '2026-11-15T00:00:00.000Z'],
  ['Sunday, November 15th, 2026', '2026-11-15T00:00:00.000Z'],
  ['Nov. 5, 2026 12:05 am', '2026-11-05T00:05:00.000Z'],
  ['Sept 5, 2026 at 1:05:30 p.m.', '2026-09-05T13:05:30.000Z'],
  ['15 November 2026', '2026-11-15T00:00:00.000Z'],
  ['1st of May, 2026', '2026-05-01T00:00:00.000Z'],
  ['Dienstag, 3. März 2026 um 9:30 Uhr', '2026-03-03T09:30:00.000Z'],
  ['Thu Nov 05 2026 10:20:30 GMT+0000 (Coordinated Universal Time)', '2026-11-05T10:20:30.000Z'],
  ['Thu Nov 05 2026 10:20:30 GMT-0500', '2026-11-05T15:20:30.000Z'],
  ['1767225600', '2026-01-01T00:00:00.000Z'],
  ['1767225600.57', '2026-01-01T00:00:00.570Z'],
  ['1767225600000', '2026-01-01T00:00:00.000Z'],
  ['631152000', '1990-01-01T00:00:00.000Z'],
  ['631152000000', '1990-01-01T00:00:00.000Z'],
  ['1990-01-01T00:00:00Z', '1990-01-01T00:00:00.000Z'],
  ['2100-12-31T23:59:59.999Z', '2100-12-31T23:59:59.999Z'],
  [' 2026-01-05 ', '2026-01-05T00:00:00.000Z'],
])('a date written %s is %s', (written, date) => {
  expect(normaliseDate(written)).toBe(date);
});

it.each([
  ['an SQL zero', '0000-00-00 00:00:00'],
  ['a day that no calendar has', '2026-02-30'],
  ['the same in basic form', '20260230'],
  ['the same in a mail’s form', '30 Feb 2026 10:20:30 +0000'],
  ['29 February of an ordinary year', '2026-02-29'],
  ['a 13th month', '2026-13-01'],
  ['a 13th month in basic form', '20261301'],
  ['a date of two separators', '2026/01-05'],
  ['an hour that no clock shows', '2026-01-05T25:00:00'],
  ['a moment past the end of a day', '2026-01-05T24:00:01'],
  ['a 60th minute', '2026-01-05T10:60:00'],
  ['a zone beyond a day', '2026-01-05T10:00:00+24:00'],
  ['a zone without a time', '2026-01-05+05:30'],
  ['a zone that nobody knows', '20 Nov 2026 10:20:30 XYZ'],
  ['a month that nobody knows', '20 Nox 2026 10:20:30 GMT'],
  ['a day in words that no calendar has', 'February 30, 2026'],
  ['an hour in words that no clock shows', 'May 3, 2026 25:00'],
  ['a word in place of a month', 'Market 12, 2026'],
  ['a day whose month may be its day', '05/06/2026'],
  ['a week', '2026-W47'],
  ['a week date', '2026-W47-5'],
  ['a week date in basic form', '2026W475'],
  ['an ordinal date', '2026-324'],
  ['an ordinal date in basic form', '2026324'],
  ['a year', '2026'],
  ['a month', '2026-11'],
  ['a month in basic form', '202611'],
  ['14 digits', '20261120103000'],
  ['a second before 1990', '631151999'],
  ['a millisecond before 1990', '631151999999'],
  ['the second after 2100', '4133980800'],
  ['1989', '1989-12-31'],
  ['2101', '2101-01-01'],
  ['an epoch’s start', '0'],
  ['a negative number', '-1767225600'],
  ['words', 'January 5th'],
  ['nothing', ''],
])('%s is no date', (_, written) => {
  expect(normaliseDate(written)).toBeNull();
});

it('a missing date is none', () => {
  expect(normaliseDate(null)).toBeNull();
});

describe('every moment from 1990 to 2100', () => {
  const moment = fc.date({
    min: new Date('1990-01-02T00:00:00Z'),
    max: new Date('2100-12-30T23:59:59.999Z'),
    noInvalidDate: true,
  });
  /** Minutes east of UTC. */
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  const digits = (value: number, length = 2) => String(value).padStart(length, '0');
  const zoneOf = (minutes: number, separator: string) =>
    `${minutes < 0 ? '-' : '+'}${digits(Math.floor(Math.abs(minutes) / 60))}${separator}${digits(Math.abs(minutes) % 60)}`;
  /** What a clock that many minutes east of UTC shows. */
  const shownAt = (date: Date, minutes: number) => new Date(date.getTime() + minutes * 60_000).toISOString();
  const seconds = (date: Date) => `${date.toISOString().slice(0, 19)}.000Z`;

  it.each<[string, (iso: string, zone: number) => string]>([
    ['extended ISO 8601', (iso, zone) => iso.replace('Z', zoneOf(zone, ':'))],
    ['basic ISO 8601', (iso, zone) => iso.replace(/[-:]/g, '').replace('Z', zoneOf(zone, ''))],
  ])('comes back from %s, to the millisecond and in every zone', (_, write) => {
    fc.assert(
      fc.property(moment, offset, (date, zone) => {
        expect(normaliseDate(write(shownAt(date, zone), zone))).toBe(date.toISOString());
      }),
    );
  });

  it('comes back from RFC 2822, to the second', () => {
    fc.assert(
      fc.property(moment, offset, (date, zone) => {
        const text = new Date(shownAt(date, zone)).toUTCString().replace('GMT', zoneOf(zone, ''));
        expect(normaliseDate(text)).toBe(seconds(date));
      }),
    );
  });

  it.each<[string, (date: Date) => string]>([
    ['the SQL form', (date) => date.toISOString().slice(0, 19).replace('T', ' ')],
    ['ISO 8601 without a zone, as UTC', (date) => date.toISOString().slice(0, 19)],
    ['epoch seconds', (date) => String(Math.floor(date.getTime() / 1000))],
  ])('comes back from %s, to the second', (_, write) => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(normaliseDate(write(date))).toBe(seconds(date));
      }),
    );
  });

  it('comes back from epoch milliseconds', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(normaliseDate(String(date.getTime()))).toBe(date.toISOString());
      }),
    );
  });

  it.each<[string, (iso: string) => string]>([
    ['extended', (iso) => iso.slice(0, 10)],
    ['basic', (iso) => iso.slice(0, 10).replaceAll('-', '')],
  ])('has a day, which comes back from its %s form', (_, write) => {
    fc.assert(
      fc.property(moment, (date) => {
        const iso = date.toISOString();
        expect(normaliseDate(write(iso))).toBe(`${iso.slice(0, 10)}T00:00:00.000Z`);
      }),
    );
  });
});

describe('whatever is written', () => {
  const part = fc.oneof(
    fc.nat({ max: 99_999 }).map(String),
    fc.constantFrom(
      '-',
      ':',
      '.',
      ',',
      ' ',
      'T',
      'Z',
      'W',
      '+',
      'Nov',
      'Fri',
      'GMT',
      'EST',
      '2026',
      '1970',
      '(',
      ')',
    ),
  );
  const likeADate = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));

  it('is a date from 1990 to 2100, or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), likeADate, fc.double().map(String), fc.nat().map(String)), (text) => {
        const date = normaliseDate(text);
        if (date === null) return;
        expect(date).toMatch(/^(199\d|20\d\d|2100)-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(new Date(date).toISOString()).toBe(date);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is no date where no calendar has the day', () => {
    const missing = fc.constantFrom(
      '02-30',
      '02-31',
      '04-31',
      '06-31',
      '09-31',
      '11-31',
      '00-10',
      '13-10',
      '05-00',
      '05-32',
    );
    const year = fc.integer({ min: 1990, max: 2100 });
    const time = fc.constantFrom('', 'T10:20:30', 'T10:20:30Z', ' 10:20:30');
    fc.assert(
      fc.property(year, missing, time, (of, day, at) => {
        expect(normaliseDate(`${of}-${day}${at}`)).toBeNull();
        expect(normaliseDate(`${of}${day}`.replace('-', ''))).toBeNull();
      }),
    );
  });

  it('is told within a moment', () => {
    const began = process.threadCpuUsage();
    for (const text of ['1 '.repeat(1e5), `1${' '.repeat(60)}`, `Fri${' '.repeat(58)},`, '9'.repeat(1e6)])
      normaliseDate(text);
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(100);
  });
});

describe('in a time zone', () => {
  it.each([
    ['2026-01-05 00:30:00', '2026-01-05T00:30:00.000+01:00', '2026-01-04T23:30:00.000Z'],
    ['2026-07-05 00:30', '2026-07-05T00:30:00.000+02:00', '2026-07-04T22:30:00.000Z'],
    ['2026-01-05', '2026-01-05T00:00:00.000+01:00', '2026-01-04T23:00:00.000Z'],
    ['2026-01-04T23:30:00Z', '2026-01-05T00:30:00.000+01:00', '2026-01-04T23:30:00.000Z'],
    ['1767225600', '2026-01-01T01:00:00.000+01:00', '2026-01-01T00:00:00.000Z'],
    ['Sun, 04 Jan 2026 23:30:00 GMT', '2026-01-05T00:30:00.000+01:00', '2026-01-04T23:30:00.000Z'],
    // Clocks skip from two to three, and go back from three to two.
    ['2026-03-29 01:59:59', '2026-03-29T01:59:59.000+01:00', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 03:00:00', '2026-03-29T03:00:00.000+02:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25 12:00:00', '2026-10-25T12:00:00.000+01:00', '2026-10-25T11:00:00.000Z'],
  ])('%s is shown as %s', (written, date, instant) => {
    expect(normaliseDate(written, 'Europe/Berlin')).toBe(date);
    expect(new Date(date).toISOString()).toBe(instant);
  });

  it.each([
    ['America/St_Johns', '2026-01-05T10:00:00.000-03:30'],
    ['Asia/Kathmandu', '2026-01-05T10:00:00.000+05:45'],
    ['Europe/London', '2026-01-05T10:00:00.000+00:00'],
  ])('%s has its offset', (zone, date) => {
    expect(normaliseDate('2026-01-05 10:00', zone)).toBe(date);
  });

  it('a day of an event stays that day, its time is one of the zone', () => {
    expect(normaliseDay('2026-01-05', 'Europe/Berlin')).toBe('2026-01-05T00:00:00.000Z');
    expect(normaliseDay('2026-01-05 18:00', 'Europe/Berlin')).toBe('2026-01-05T18:00:00.000+01:00');
  });
});
