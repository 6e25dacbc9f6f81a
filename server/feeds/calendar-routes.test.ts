import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { calendar, type DatedEvent } from './calendar-routes.ts';

const ORIGIN = 'https://www.example.com';
const NOW = Date.UTC(2026, 10, 23, 8, 5, 9);
const EVENT: DatedEvent = {
  id: '7',
  slug: 'summit',
  title: 'Martech Summit; Berlin, 2026',
  banner: null,
  location: 'Hall 3, Berlin',
  date: '2026-12-01T09:30:00.000Z',
  endDate: '2026-12-02T17:00:00.000Z',
  descriptionHtml: '',
  summary: 'Two days.\nOne \\ stage.',
  link: null,
  video: null,
};

const unfolded = (text: string) => text.replaceAll('\r\n ', '');

describe('an event for a calendar', () => {
  it('is an iCalendar object with escaped texts', () => {
    expect(calendar(EVENT, ORIGIN, NOW, defaultSite).split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Martech Meridian//Events//EN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:event-7@www.example.com',
      'DTSTAMP:20261123T080509Z',
      'DTSTART:20261201T093000Z',
      'DTEND:20261202T170000Z',
      'SUMMARY:Martech Summit\\; Berlin\\, 2026',
      'DESCRIPTION:Two days.\\nOne \\\\ stage.',
      'LOCATION:Hall 3\\, Berlin',
      'URL:https://www.example.com/events/summit',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('of whole days ends on the day after its last', () => {
    const days = { ...EVENT, date: '2026-12-31T00:00:00.000Z', endDate: null };
    expect(calendar(days, ORIGIN, NOW, defaultSite)).toContain(
      'DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n',
    );
    const two = { ...days, endDate: '2027-01-01T00:00:00.000Z' };
    expect(calendar(two, ORIGIN, NOW, defaultSite)).toContain('DTEND;VALUE=DATE:20270102\r\n');
  });

  it('without a known end has none', () => {
    expect(calendar({ ...EVENT, endDate: null }, ORIGIN, NOW, defaultSite)).not.toContain('DTEND');
  });

  it('has no line above 75 octets and no property that its texts bring, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const summary = `${title}\r\nATTACH:x`;
        const site = { ...defaultSite, name: summary };
        const text = calendar({ ...EVENT, title, summary }, ORIGIN, NOW, site);
        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(
          unfolded(text)
            .trimEnd()
            .split(/\r\n|[\n\r]/).length,
        ).toBe(15);
      }),
    );
  });

  it('is read by a parser of RFC 5545 as what it says', () => {
    const read = (event: DatedEvent) => {
      const component = new ICAL.Component(ICAL.parse(calendar(event, ORIGIN, NOW, defaultSite)));
      const found = component.getFirstSubcomponent('vevent');
      if (found === null) throw new Error('there is no event');
      return new ICAL.Event(found);
    };
    const { uid, startDate, endDate } = read(EVENT);
    expect(uid).toBe('event-7@www.example.com');
    expect([startDate, endDate].map((time) => time.toJSDate().toISOString())).toEqual([
      EVENT.date,
      EVENT.endDate,
    ]);
    const days = read({ ...EVENT, date: '2026-12-31T00:00:00.000Z', endDate: null });
    expect([days.startDate.isDate, days.duration.toString()]).toEqual([true, 'P1D']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
        const { summary, location, description } = read({
          ...EVENT,
          title: text,
          location: text,
          summary: text,
        });
        // Control characters are no text in RFC 5545.
        const expected = text.replace(/[\u2028\u2029]/g, '\n');
        expect([summary, location, description]).toEqual([expected, expected, expected]);
      }),
    );
  });
});
