import { describe, expect, it } from 'vitest';
import { canonicalUrl } from './canonical-url.ts';

describe('canonicalUrl', () => {
  it.each([
    ['/', '/'],
    ['/?utm_source=x', '/'],
    ['/news/a-story', '/news/a-story'],
    ['/news/a-story/', '/news/a-story'],
    ['/news/%61-story', '/news/a-story'],
    ['/news/a-story?page=2&x', '/news/a-story'],
    ['/news/caf%C3%A9', '/news/caf%C3%A9'],
  ])('writes %s as %s', (target, expected) => {
    expect(canonicalUrl(target).url).toBe(expected);
  });

  it.each(['/nothing', '/a/b/c/d', '/%', '/news/%zz', '/news/%00', '//x', '/a//b', '/news/%C0%AE'])(
    'makes one page of every unknown path (%s)',
    (target) => {
      expect(canonicalUrl(target)).toEqual({ page: 'not-found', url: '/404' });
    },
  );
});
