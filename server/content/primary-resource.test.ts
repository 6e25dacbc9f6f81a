import { describe, expect, it } from 'vitest';
import { Frozen } from '#server/cache/cache-mode.ts';
import { Absent } from '#server/cache/cache-query.ts';
import { UpstreamError } from '#server/cms/client/upstream-error.ts';
import { primaryResource, rejectImpossibleSlugs, rejectTooLong } from './primary-resource.ts';

const status = (code: number) => new UpstreamError('status', 'post.details', { status: code });

it.each([
  ['absent in the upstream', new Absent(), { kind: 'not-found' }],
  ['answered with 404 where no rule says what that means', status(404), { kind: 'unavailable' }],
  ['answered with 500', status(500), { kind: 'unavailable' }],
  ['not cached while the cache is frozen', new Frozen('article'), { kind: 'unavailable' }],
])('a primary resource that is %s fails the page', async (_what, error, expected) => {
  await expect(primaryResource(Promise.reject(error))).rejects.toMatchObject({
    name: 'SiteError',
    ...expected,
  });
});

it('a failure that the rules name redirects to /404', async () => {
  const loading = primaryResource(Promise.reject(status(501)), { goTo404: (error) => error.status === 501 });
  await expect(loading).rejects.toMatchObject({ kind: 'unavailable', goTo: '/404' });
});

it('a failure that the rules name says that there is no such page', async () => {
  const loading = primaryResource(Promise.reject(status(404)), {
    isNotFound: (error) => error.status === 404,
  });
  await expect(loading).rejects.toMatchObject({ kind: 'not-found' });
});

it('an error that is not of the upstream passes through', async () => {
  await expect(primaryResource(Promise.reject(new TypeError('a bug')))).rejects.toBeInstanceOf(TypeError);
});

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
