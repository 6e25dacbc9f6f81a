import { describe, expect, it } from 'vitest';
import { refuseTooLong, rejectImpossibleSlugs } from './slug-filter.ts';

const isRefused = (...slugs: string[]): boolean => {
  try {
    rejectImpossibleSlugs(...slugs);
    return false;
  } catch {
    return true;
  }
};

describe('refuseImplausible', () => {
  it.each([
    'b.map',
    'y.png',
    'index.php',
    'INDEX.PHP',
    'app.min.js',
    'style.css',
    'data.json',
    'feed.xml',
    'robots.txt',
    'favicon.ico',
    'photo.JPEG',
    'page.html',
    'default.aspx',
    'dump.sql',
    'font.woff2',
    '.',
    '..',
  ])('refuses %s, wherever it stands last', (slug) => {
    expect(isRefused('news', slug)).toBe(true);
    expect(isRefused(slug)).toBe(true);
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
    'php',
  ])('lets %s pass', (slug) => {
    expect(isRefused('news', slug)).toBe(false);
    expect(isRefused(slug)).toBe(false);
  });

  it('refuses folders of other software, and texts that are too long', () => {
    expect(isRefused('wp-admin', 'setup')).toBe(true);
    expect(isRefused('API', 'home')).toBe(true);
    expect(isRefused('news', 'x'.repeat(513))).toBe(true);
    expect(() => refuseTooLong('all', 'main.js')).not.toThrow();
    expect(() => refuseTooLong('all', 'x'.repeat(513))).toThrow();
  });
});
