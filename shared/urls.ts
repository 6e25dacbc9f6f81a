import { EVENT_TABS, type EventTab } from './models/event.ts';

/** The site's own addresses. Every link of the site is built here, so that none is encoded twice or not at all. */

/** One or two dots, as they are or escaped any number of times. */
const DOTS = /^(\.|%(25)*2E){1,2}$/i;

/**
 * One encoded path segment. Browsers and URL parsers resolve `.` and `..` away, also where they are escaped, so that
 * a segment of dots alone is escaped twice, and so is one that would read as such; `decodeDots` knows.
 */
export function encodeSegment(value: string): string {
  const text = value.toWellFormed();
  return DOTS.test(text)
    ? encodeURIComponent(encodeURIComponent(text).replaceAll('.', '%2E'))
    : encodeURIComponent(text);
}

/** A segment's text, decoded once already by whoever split the path: undoes the second escape of dots. */
export function decodeDots(text: string): string {
  return DOTS.test(text) ? decodeURIComponent(text) : text;
}

/** The text of a path's segment, counted from 0. Null where there is none, or where it is no text. */
export function pathSegment(pathname: string, index: number): string | null {
  const raw = pathname.split('/')[index + 1];
  if (raw === undefined) return null;
  try {
    return decodeDots(decodeURIComponent(raw));
  } catch {
    return null;
  }
}

/** The canonical form of a `page` parameter: null for page 1 and for anything that is no positive integer. */
export function canonicalPage(value: string | null): string | null {
  const page = pageNumber(value);
  return page > 1 ? String(page) : null;
}

/** The tab of the event list; anything unknown is `all`. */
export function eventTab(value: string | null): EventTab {
  return EVENT_TABS.find((tab) => tab === value) ?? 'all';
}

/** The canonical form of a `tab` parameter: null for all. */
export function canonicalTab(value: string | null): string | null {
  const tab = eventTab(value);
  return tab === 'all' ? null : tab;
}

/** A slug as a heading: its first letter capitalised, its hyphens kept (decisions). */
export function capitalised(slug: string): string {
  const [first = '', ...rest] = slug;
  return first.toUpperCase() + rest.join('');
}

function withPage(path: string, page: number): string {
  return page > 1 ? `${path}?page=${page}` : path;
}

export function articlePath(post: { category: string; slug: string }): string {
  return `/${encodeSegment(post.category)}/${encodeSegment(post.slug)}`;
}

export function topicPath(category: string, subcategory: string | null = null, page = 1): string {
  const path =
    subcategory === null
      ? `/topic/${encodeSegment(category)}`
      : `/topic/${encodeSegment(category)}/${encodeSegment(subcategory)}`;
  return withPage(path, page);
}

/** A topic's RSS feed. */
export function topicFeedPath(category: string): string {
  return `${topicPath(category)}/feed.xml`;
}

export function tagPath(subcategory: string): string {
  return `/tag/${encodeSegment(subcategory)}`;
}

export function searchPath(category: string, term: string, page = 1): string {
  return withPage(`/search/${encodeSegment(category)}/${encodeSegment(term)}`, page);
}

export function eventPath(slug: string): string {
  return `/events/${encodeSegment(slug)}`;
}

export function eventsPath(tab: EventTab, page = 1): string {
  const query = new URLSearchParams();
  if (tab !== 'all') query.set('tab', tab);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/events?${query}` : '/events';
}

/** The address of a picture at a width in CSS pixels (specification, section 7: the image host takes `?width=`). */
export function imageUrl(image: string, width: number): string {
  return `${image}${image.includes('?') ? '&' : '?'}width=${width}`;
}

/** A `srcset` of one picture at several widths. */
export function imageSrcSet(image: string, widths: readonly number[]): string {
  return widths.map((width) => `${imageUrl(image, width)} ${width}w`).join(', ');
}

/** The page number of a query: anything that is no positive integer is page 1. */
export function pageNumber(value: string | null | undefined): number {
  if (!value || !/^[0-9]{1,7}$/.test(value)) return 1;
  return Math.max(1, Number(value));
}
