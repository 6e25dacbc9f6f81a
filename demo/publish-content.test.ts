import { describe, expect, it } from 'vitest';
import { publishEvents, publishPosts } from './publish-content.ts';
import { sampleContent, samplePost } from './sample-content.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

function publishedAt(now: number, given: Parameters<typeof samplePost>[0]): string | undefined {
  const [post] = publishPosts(sampleContent({ posts: [samplePost(given)] }), now);
  return post && new Date(post.publishedAt).toISOString();
}

describe('publishPosts', () => {
  it('dates a post by whole UTC days before the clock', () => {
    expect(publishedAt(NOON, { daysAgo: 2, at: '08:30' })).toBe('2026-11-18T08:30:00.000Z');
  });

  it('never dates a post in the future', () => {
    const at = publishedAt(NOON, { daysAgo: 0, at: '23:59' });
    expect(Date.parse(at ?? '')).toBeLessThan(NOON);
    expect(Date.parse(at ?? '')).toBeGreaterThan(NOON - 3_600_000);
  });

  it('puts the newest first', () => {
    const times = publishPosts(sampleContent(), NOON).map((post) => post.publishedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('keeps the id of a post whatever is published beside it', () => {
    const idOf = (posts = sampleContent().posts) =>
      publishPosts(sampleContent({ posts }), NOON).find(({ slug }) => slug === 'news-piece-3')?.id;
    expect(idOf([samplePost({ slug: 'news-piece-3' })])).toBe(idOf());
    expect(idOf()).toBeGreaterThan(0);
  });

  it('counts reading time at 220 words a minute, a minute at least', () => {
    const minutes = (words: number) =>
      publishPosts(
        sampleContent({ posts: [samplePost({ bodyHtml: `<p>${'word '.repeat(words)}</p>` })] }),
        NOON,
      )[0]?.readingMinutes;
    expect(minutes(10)).toBe(1);
    expect(minutes(880)).toBe(4);
  });
});

describe('publishEvents', () => {
  it('dates events by whole days from the clock, in order', () => {
    const events = publishEvents(sampleContent(), NOON);
    expect(new Date(events[0]?.startsAt ?? 0).toISOString()).toBe('2026-11-10T09:00:00.000Z');
    expect(events.map(({ startsAt }) => startsAt)).toEqual(
      events.map(({ startsAt }) => startsAt).toSorted((a, b) => a - b),
    );
  });
});
