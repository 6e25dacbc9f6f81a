import { describe, expect, it } from 'vitest';
import { rejectImpossibleSlugs, rejectTooLong } from './slug-filter.ts';

const isRejected = (...slugs: string[]): boolean => {
  try {
    rejectImpossibleSlugs(...slugs);
    return false;
  } catch {
    return true;
  }
};

describe('rejectImpossibleSlugs', () => {
  it.each([
    'b.map',
    'y.png',
    'INDEX.PHP',
    'photo.JPEG',
    'default.aspx',
    'dump.sql',
    'font.woff2',
    ' ',
    'a-story ',
    '.',
    '..',
  ])('rejects %s as the last slug', (slug) => {
    expect(isRejected('news', slug)).toBe(true);
    expect(isRejected(slug)).toBe(true);
  });

  it.each([
    'a-story',
    'node.js-guide',
    'web-2.0',
    'asp.net',
    'open.ai',
    'booking.com',
    'v1.2',
    'A.B.',
    'map',
    'angular.js',
    'index.html',
    'the-end-of-php',
    'about-robots.txt',
  ])('accepts %s', (slug) => {
    expect(isRejected('news', slug)).toBe(false);
    expect(isRejected(slug)).toBe(false);
  });

  it('rejects paths of other software, and texts that are too long', () => {
    expect(isRejected('wp-admin', 'setup')).toBe(true);
    expect(isRejected('API', 'home')).toBe(true);
    expect(isRejected('news', 'x'.repeat(513))).toBe(true);
    expect(() => rejectTooLong('all', 'main.js')).not.toThrow();
    expect(() => rejectTooLong('all', 'x'.repeat(513))).toThrow();
  });
});
