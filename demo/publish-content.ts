import { htmlToText } from './html-to-text.ts';
import type { AuthorEntry, Content, EventEntry } from './load-content.ts';
import type { PostEntry } from './read-post-file.ts';
import { stableId } from './stable-id.ts';

export interface Post extends PostEntry {
  id: number;
  authorId: number;
  authorName: string;
  /** Epoch milliseconds, as all times here. */
  publishedAt: number;
  readingMinutes: number;
}

export interface Author extends AuthorEntry {
  id: number;
}

export interface PublishedEvent extends EventEntry {
  id: number;
  startsAt: number;
  /** Null for an event of one day. */
  endsAt: number | null;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WORDS_A_MINUTE = 220;
const EVENTS_START_AT = 9 * 60 * MINUTE;
const EVENTS_END_AT = 17 * 60 * MINUTE;

/** Returns the start of the UTC day of a time. */
export function startOfDay(now: number): number {
  return Math.floor(now / DAY) * DAY;
}

/** Returns the authors with their ids: from 1, in the order of their file. */
export function publishAuthors({ authors }: Content): Author[] {
  return authors.map((author, index) => ({ ...author, id: index + 1 }));
}

/** Returns the posts with their dates as of `now`, newest first and none in the future. */
export function publishPosts(content: Content, now: number): Post[] {
  const authors = new Map(publishAuthors(content).map((author) => [author.key, author]));
  const posts = content.posts.map((entry): Post => {
    const author = authors.get(entry.author);
    return {
      ...entry,
      id: stableId(entry.slug),
      authorId: author?.id ?? 0,
      authorName: author?.name ?? entry.author,
      publishedAt: publicationTime(entry, now),
      readingMinutes: Math.max(1, Math.round(wordsOf(entry.bodyHtml) / WORDS_A_MINUTE)),
    };
  });
  return posts.sort((a, b) => b.publishedAt - a.publishedAt || a.id - b.id);
}

/** Returns the events with their dates as of `now`, sorted by date. */
export function publishEvents({ events }: Content, now: number): PublishedEvent[] {
  return events
    .map((entry) => {
      const firstDay = startOfDay(now) + entry.inDays * DAY;
      const endsAt = entry.days > 1 ? firstDay + (entry.days - 1) * DAY + EVENTS_END_AT : null;
      return { ...entry, id: stableId(entry.slug), startsAt: firstDay + EVENTS_START_AT, endsAt };
    })
    .sort((a, b) => a.startsAt - b.startsAt || a.id - b.id);
}

function publicationTime({ slug, daysAgo, at }: PostEntry, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const planned = startOfDay(now) - daysAgo * DAY + (hours * 60 + minutes) * MINUTE;
  if (planned < now) return planned;
  const someMinutes = 4 + (stableId(slug) % 50);
  return Math.floor(now / MINUTE) * MINUTE - someMinutes * MINUTE;
}

function wordsOf(html: string): number {
  return htmlToText(html).split(/\s+/).filter(Boolean).length;
}
