import { expect, it } from 'vitest';
import { callTarget, reads } from './site-api.ts';

it.each([
  [{ category: 'news', subcategory: 'a b', page: 1 }, '/api/topics/news/a%20b'],
  [{ category: 'news', subcategory: null, page: 2 }, '/api/topics/news?page=2'],
  [{ category: '..', subcategory: 'x/y', page: 3 }, '/api/topics/%252E%252E/x%2Fy?page=3'],
])('the target of a topic %j is %s', (topic, target) => {
  expect(callTarget(reads.topic, topic)).toBe(target);
});

it('a query has one order, and no value that it would mean anyway', () => {
  expect(callTarget(reads.events, { page: 2, tab: 'past' })).toBe('/api/events?tab=past&page=2');
  expect(callTarget(reads.events, { page: 1, tab: 'all' })).toBe('/api/events');
  expect(callTarget(reads.events, {})).toBe('/api/events');
});
