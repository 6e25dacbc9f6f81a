import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { postSummary } from '../../tests/fixtures/post-summary.ts';
import { newsSitemap, type SitemapEntry, sitemap } from './sitemaps.ts';

const ORIGIN = 'https://www.example.com';
const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const TWO_DAYS_MS = 48 * HOUR_MS;

const locations = (text: string) => [...text.matchAll(/<loc>([^<]*)</g)].map(([, location]) => location);

describe('a sitemap', () => {
  it('has each address once, and its last change where that is known', () => {
    const entries: SitemapEntry[] = [
      { path: '/a', lastModified: '2026-11-20T12:00:00.000Z' },
      { path: '/b', lastModified: null },
      { path: '/b', lastModified: null },
    ];
    expect(sitemap(entries, ORIGIN)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/a</loc><lastmod>2026-11-20T12:00:00.000Z</lastmod></url><url><loc>https://www.example.com/b</loc></url></urlset>\n',
    );
  });

  it('leaves out addresses that search engines do not take', () => {
    const path = `/${'x'.repeat(2_047 - ORIGIN.length - 1)}`;
    const entries = [path, `${path}x`].map((of) => ({ path: of, lastModified: null }));
    expect(locations(sitemap(entries, ORIGIN))).toEqual([ORIGIN + path]);
  });
});

describe('the news sitemap', () => {
  const at = (slug: string, hours: number) =>
    postSummary({ slug, publishedAt: new Date(NOON + hours * HOUR_MS).toISOString() });
  const made = (now: number) =>
    newsSitemap(
      [
        at('next', 3),
        at('new', -1),
        at('old', -47),
        at('gone', -49),
        postSummary({ slug: 'x', publishedAt: null }),
      ],
      ORIGIN,
      now,
      defaultSite,
    );

  it('holds what was published in the last two days', () => {
    const { text } = made(NOON);
    expect(locations(text)).toEqual([`${ORIGIN}/news/new`, `${ORIGIN}/news/old`]);
  });

  it('is right from the last post that came or went to the next one', () => {
    expect(made(NOON)).toMatchObject({ from: NOON - HOUR_MS, until: NOON + HOUR_MS });
    expect(made(NOON + HOUR_MS)).toMatchObject({ from: NOON + HOUR_MS, until: NOON + 3 * HOUR_MS });
    expect(locations(made(NOON + HOUR_MS).text)).toEqual([`${ORIGIN}/news/new`]);
    expect(locations(made(NOON + 3 * HOUR_MS).text)).toEqual([`${ORIGIN}/news/next`, `${ORIGIN}/news/new`]);
  });

  it('without items stays valid without a limit', () => {
    expect(newsSitemap([], ORIGIN, NOON, defaultSite)).toMatchObject({
      from: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
    });
  });

  it('is the same text at every moment from the one to the other, and another one after', () => {
    const moment = fc.integer({ min: NOON - 2 * TWO_DAYS_MS, max: NOON + 2 * TWO_DAYS_MS });
    fc.assert(
      fc.property(
        fc.uniqueArray(moment, { minLength: 1 }),
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (dates, now, share) => {
          const posts = dates.map((date, index) =>
            postSummary({ slug: `s${index}`, publishedAt: new Date(date).toISOString() }),
          );
          const { text, from, until } = newsSitemap(posts, ORIGIN, now, defaultSite);
          expect(now).toBeGreaterThanOrEqual(from);
          expect(now).toBeLessThan(until);
          const [first, last] = [
            Math.max(from, NOON - 9 * TWO_DAYS_MS),
            Math.min(until - 1, NOON + 9 * TWO_DAYS_MS),
          ];
          const between = Math.floor(first + share * (last - first));
          for (const same of [first, between, last])
            expect(newsSitemap(posts, ORIGIN, same, defaultSite).text).toBe(text);
          for (const other of [from - 1, until])
            if (Number.isFinite(other))
              expect(newsSitemap(posts, ORIGIN, other, defaultSite).text).not.toBe(text);
        },
      ),
    );
  });
});
