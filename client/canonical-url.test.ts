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
    ['/search/all/.', '/search/all/%252E'],
    ['/search/all/%252e%252e', '/search/all/%252E%252E'],
    ['/search/all/%25252E', '/search/all/%25252E'],
    ['/search/all/50%25?page=2&page=3', '/search/all/50%25?page=2'],
    ['/topic/news?page=1', '/topic/news'],
    ['/topic/news?page=x', '/topic/news'],
    ['/topic/news?page=02', '/topic/news?page=2'],
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
