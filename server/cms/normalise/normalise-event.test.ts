import { describe, expect, it } from 'vitest';
import { LeftOut } from '#server/cms/lenient-parsing.ts';
import { cmsEvent, normaliseEvent, normaliseEventDetail } from './normalise-event.ts';

function datesOf(dates: Record<string, unknown>) {
  const event = cmsEvent.parse({ event_title: 'A day', ...dates });
  const detail = normaliseEventDetail(event, 'a-day', () => null);
  return [detail.date, detail.endDate];
}

const FIRST = '2026-11-24T00:00:00.000Z';
const LAST = '2026-11-26T00:00:00.000Z';

describe('the dates of an event', () => {
  it.each([
    [{ event_date: '2026-11-24' }, FIRST, null],
    [{ event_date: '2026-11-24', event_end_date: '2026-11-26' }, FIRST, LAST],
    [{ event_date: '2026-11-24', event_end_date: '2026-11-24' }, FIRST, FIRST],
    [{ event_date: '2026-11-24/2026-11-26' }, FIRST, LAST],
    [{ event_date: '2026-11-24 - 2026-11-26' }, FIRST, LAST],
    [{ event_date: '2026-11-24 – 2026-11-26' }, FIRST, LAST],
    [{ event_date: 'November 24-26, 2026' }, FIRST, LAST],
    [{ event_date: 'November 24, 2026 – November 26, 2026' }, FIRST, LAST],
    [{ event_date: 'Nov 24 – Nov 26, 2026' }, FIRST, LAST],
    [{ event_date: '24 to 26 November 2026' }, FIRST, LAST],
    [{ event_date: '24. – 26. November 2026' }, FIRST, LAST],
    [{ event_date: '24. Nov. bis 26. Nov. 2026' }, FIRST, LAST],
    [{ event_date: 'November 24, 2026' }, FIRST, null],
    [{ event_date: ' 2026-11-24 to 2026-11-26 ' }, FIRST, LAST],
    [
      { event_date: '2026-11-24 09:00:00/2026-11-26 17:00:00' },
      '2026-11-24T09:00:00.000Z',
      '2026-11-26T17:00:00.000Z',
    ],
  ])('%j are %s and %s', (dates, date, endDate) => {
    expect(datesOf(dates)).toEqual([date, endDate]);
  });

  it.each([
    [{ event_date: '2026-11-24', event_end_date: '2026-11-23' }, FIRST],
    [{ event_date: '2026-11-24', event_end_date: 'soon' }, FIRST],
    [{ event_date: '2026-11-24/later' }, FIRST],
    [{ event_date: '2026-11-26/2026-11-24' }, LAST],
    [{ event_date: '24/11/2026' }, null],
    [{ event_end_date: '2026-11-24' }, null],
    [{ event_date: `${'2026-11-24 to '.repeat(50_000)}` }, null],
    [{ event_date: `Nov 24 ${' '.repeat(50_000)}` }, null],
  ])('%# drop an end that is no later date', (dates, date) => {
    expect(datesOf(dates)).toEqual([date, null]);
  });
});

describe('an event without a title', () => {
  it('is called by its first words; without any its page by its slug, and a list leaves it out', () => {
    const named = (event_desc: string, event_slug: string | null = null) =>
      normaliseEventDetail(cmsEvent.parse({ event_title: ' ', event_desc, event_slug }), 'a-day', () => null);
    expect(named('<p>A day on <b>ledgers</b>.</p>')).toMatchObject({ title: 'A day on ledgers.' });
    const long = named(`<p>${'Ledgers and '.repeat(20)}</p>`);
    expect(long.title).toMatch(/^Ledgers and .{50,68}…$/);
    expect(() => named('<p></p>')).toThrow(new LeftOut('no title'));
    expect(named('<p></p>', 'a-day').title).toBe('a day');
    const wordless = cmsEvent.parse({ event_slug: 'a-day', event_desc: '<p></p>' });
    expect(() => normaliseEvent(wordless, () => null)).toThrow(new LeftOut('no title'));
  });
});

describe('the description of an event', () => {
  it.each([
    ['a'.repeat(101), `${'a'.repeat(100)}...`],
    ['Come and <b>see</b>.', 'Come and see....'],
    [`${'a'.repeat(99)}😀b`, `${'a'.repeat(99)}😀...`],
    ['<p></p>', ''],
  ])('is cut at 100 characters on a card, and ends with dots: %#', (event_desc, description) => {
    const event = cmsEvent.parse({ event_title: 'A day', event_slug: 'a-day', event_desc });
    expect(normaliseEvent(event, () => null)).toMatchObject({ description });
  });

  it('is whole in its summary', () => {
    const event = cmsEvent.parse({ event_title: 'A day', event_desc: 'a'.repeat(101) });
    expect(normaliseEventDetail(event, 'a-day', () => null)).toMatchObject({ summary: 'a'.repeat(101) });
  });
});
