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
  ])('makes %s canonical as %s', (target, expected) => {
    expect(canonicalUrl(target).url).toBe(expected);
  });

  it.each([
    '/nothing',
    '/a/b/c/d',
    '/a/b.map',
    '/a/B.PNG/',
    '/tag/x.php',
    '/topic/news/feed.rss',
    '/API/home',
    '/assets/x.js',
    '/wp-admin/setup',
    '/topic/news/.',
    '/news/%252E%252e',
    '/%',
    '/news/%zz',
    '/news/%00',
    '//x',
    '/a//b',
    '/news/%C0%AE',
  ])('maps the unknown path %s to /404', (target) => {
    expect(canonicalUrl(target)).toEqual({ page: 'not-found', url: '/404', redirect: null });
  });

  it.each([
    ['/topic/news/', '/topic/news'],
    ['/TOPIC/News?page=02&x', '/topic/News?page=02&x'],
    ['/pRivacy-policy', '/privacy-policy'],
    ['/tag/%77eb', '/tag/web'],
    ['/news/caf%c3%a9?', '/news/caf%C3%A9?'],
    ['/search/all/a+b', '/search/all/a%2Bb'],
    ['/news/%5C%5Cevil.example/', '/news/%5C%5Cevil.example'],
  ])('redirects %s to %s, the query unchanged', (target, location) => {
    expect(canonicalUrl(target).redirect).toBe(location);
    expect(canonicalUrl(location).redirect).toBeNull();
    expect(canonicalUrl(location).url).toBe(canonicalUrl(target).url);
  });

  it.each(['/', '/?page=2', '/topic/news?page=1', '/News/A-Story', '/404', '/no/such/page/'])(
    'does not redirect %s',
    (target) => {
      expect(canonicalUrl(target).redirect).toBeNull();
    },
  );

  it.each([
    ['/news/angular.js', 'article'],
    ['/topic/learn.html', 'topic'],
    ['/topic/news/vue.js', 'subtopic'],
    ['/tag/asp.net', 'tag'],
    ['/events/open.io', 'event'],
    ['/search/robots.txt', 'article'],
  ])('takes %s for a page: a slug may end in a name', (target, page) => {
    expect(canonicalUrl(target)).toEqual({ page, url: target, redirect: null });
  });
});
