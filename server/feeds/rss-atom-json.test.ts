import { expect, it } from 'vitest';
import type { PostSummary } from '#shared/models/post.ts';
import { defaultSite } from '#shared/site.ts';
import { atom } from './rss-atom-json.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function post(slug: string, publishedAt: string | null): PostSummary {
  return {
    id: slug,
    category: 'news',
    slug,
    title: slug,
    excerpt: null,
    author: null,
    publishedAt,
    image: null,
    readingMinutes: null,
    hasVideo: false,
  };
}

/** The dates of a feed: its own, then those of its entries, in their order. */
function datesOf(...posts: PostSummary[]): (string | undefined)[] {
  const text = atom(
    { title: 'A feed', path: '/', self: '/feed.atom', posts },
    'https://www.example.com',
    defaultSite,
    NOW,
  );
  return [...text.matchAll(/<updated>([^<]*)</g)].map(([, date]) => date);
}

it('a feed is as new as its newest post', () => {
  const [newer, older] = ['2026-11-20T10:00:00.000Z', '2026-11-19T10:00:00.000Z'];
  expect(datesOf(post('a', older), post('b', newer))).toEqual([newer, older, newer]);
});

it('a post without a date is as old as the oldest beside it', () => {
  const [newer, older] = ['2026-11-20T10:00:00.000Z', '2026-11-19T10:00:00.000Z'];
  expect(datesOf(post('a', newer), post('b', null), post('c', older))).toEqual([newer, newer, older, older]);
});

it('a feed without any date, or without posts, is of the moment it was made', () => {
  const now = '2026-11-20T12:00:00.000Z';
  expect(datesOf(post('a', null), post('b', null))).toEqual([now, now, now]);
  expect(datesOf()).toEqual([now]);
});
