import { describe, expect, it } from 'vitest';
import { defaultSite } from '#shared/site.ts';
import { postSummary } from '../../tests/fixtures/post-summary.ts';
import { newsSitemap, type SitemapEntry, sitemap } from './sitemap-xml.ts';

const ORIGIN = 'https://www.example.com';
const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

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

  it.each([
    [0, ['new', 'old']],
    [1, ['new']],
    [3, ['next', 'new']],
  ])('holds what was published in the last two days: %i hours later %j', (hours, slugs) => {
    expect(locations(made(NOON + hours * HOUR_MS))).toEqual(slugs.map((slug) => `${ORIGIN}/news/${slug}`));
  });
});
