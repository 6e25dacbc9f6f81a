import { describe, expect, it } from 'vitest';
import { routeLabel } from './route-label.ts';

describe('the route label of a page', () => {
  it.each([
    ['/', '/'],
    ['/?utm_source=x', '/'],
    ['/about', '/about'],
    ['/about/', '/about'],
    ['/news/a-story', '/:category/:slug'],
    ['/topic/news', '/topic/:category'],
    ['/topic/news?page=2', '/topic/:category'],
    ['/topic/news/analytics', '/topic/:category/:subcategory'],
    ['/tag/analytics', '/tag/:subcategory'],
    ['/events', '/events'],
    ['/events?tab=past', '/events'],
    ['/events/summit', '/events/:slug'],
    ['/search/all/privacy', '/search/:category/:term'],
    ['/topic', 'not-found'],
    ['/anything-at-all', 'not-found'],
    ['/a/b/c/d/e/f/g', 'not-found'],
    ['/__proto__', 'not-found'],
    ['/constructor/x', '/:category/:slug'],
  ])('of %s is %s', (target, route) => {
    expect(routeLabel(target)).toBe(route);
  });
});
