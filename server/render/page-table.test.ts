import { describe, expect, it } from 'vitest';
import { canonicalUrl, pages } from '#client/entry-server.tsx';
import { createPageTable } from './page-table.ts';

const pageTable = createPageTable({ pages, canonicalUrl });

describe('the template of a request target', () => {
  it.each([
    ['/', '/'],
    ['/?utm_source=x', '/'],
    ['/about', '/about'],
    ['/about/', '/about'],
    ['/About', '/about'],
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
  ])('%s is %s', (target, template) => {
    expect(pageTable.templateOf(target)).toBe(template);
  });
});

it('knows the templates of pages from those of other routes', () => {
  for (const { path } of pages.filter(({ name }) => name !== 'not-found'))
    expect(pageTable.hasTemplate(path)).toBe(true);
  expect(pageTable.hasTemplate('not-found')).toBe(true);
  for (const route of ['/*', '*', '/assets/*', '/feed.xml', '/api/home'])
    expect(pageTable.hasTemplate(route)).toBe(false);
});

it('lists pages without parameters, but for those that search engines may not index', () => {
  expect(pageTable.indexedPaths).toContain('/about');
  expect(pageTable.indexedPaths).not.toContain('/no-posts');
  expect(pageTable.indexedPaths.filter((path) => /[:*]/.test(path))).toEqual([]);
});
