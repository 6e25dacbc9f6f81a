import { EVENT_TABS, type EventTab } from './models/event-tabs.ts';

/** Builds the site's URLs. All links are built here, so that each segment is escaped exactly once. */

/** One or two dots, plain or escaped any number of times. */
export const DOTS = /^(\.|%(25)*2E){1,2}$/i;

/**
 * Escapes a path segment. URL parsers remove `.` and `..` even when escaped, so a segment of dots is escaped twice, and so
 * is a text that looks like the result; `decodeDots` is the inverse.
 */
export function encodeSegment(value: string): string {
  const text = value.toWellFormed();
  return DOTS.test(text)
    ? encodeURIComponent(encodeURIComponent(text).replaceAll('.', '%2E'))
    : encodeURIComponent(text);
}

/** Returns the text of a segment that `encodeSegment` has escaped; null where it is malformed. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeDots(decodeURIComponent(segment));
  } catch {
    return null;
  }
}

/** Undoes the second escape of dots in a segment that was decoded once. */
export function decodeDots(text: string): string {
  return DOTS.test(text) ? decodeURIComponent(text) : text;
}

/** Returns the decoded segment of a path, counted from 0. Null if it is missing or malformed. */
export function pathSegment(pathname: string, index: number): string | null {
  const segment = pathname.split('/')[index + 1];
  return segment === undefined ? null : decodeSegment(segment);
}

/** Returns whether a slug is another in other cases. */
export function isOtherSpelling(slug: string, known: string): boolean {
  return slug !== known && slug.toLowerCase() === known.toLowerCase();
}

/** Longest search term that the forms take and `/search?term=` redirects. */
export const MAX_SEARCH_TERM_LENGTH = 200;

/** Characters that no path may have, such as the tabs of a pasted table. */
const NOT_IN_PATHS = /[\p{Cc}\p{Noncharacter_Code_Point}]+/gu;

/** Returns the search term of what somebody entered. Empty where that has no words. */
export function enteredSearchTerm(text: string): string {
  return text.replace(NOT_IN_PATHS, ' ').trim().slice(0, MAX_SEARCH_TERM_LENGTH);
}

/** Returns the canonical `page` parameter: null for page 1 and for anything but a positive integer. */
export function canonicalPage(value: string | null): string | null {
  const page = pageNumber(value);
  return page > 1 ? String(page) : null;
}

/** Returns the tab of the event list; `all` for an unknown one. */
export function eventTab(value: string | null): EventTab {
  return EVENT_TABS.find((tab) => tab === value) ?? 'all';
}

/** Returns the canonical `tab` parameter: null for `all`. */
export function canonicalTab(value: string | null): string | null {
  const tab = eventTab(value);
  return tab === 'all' ? null : tab;
}

/** Returns a slug as a heading: first letter capitalised, hyphens kept (decisions). */
export function capitalise(slug: string): string {
  const [first = '', ...rest] = slug;
  return first.toUpperCase() + rest.join('');
}

/** Returns a path with the number of a list's page: none for the first. */
function withPage(path: string, page: number): string {
  if (page <= 1) return path;
  return `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
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

/** Returns the path of a topic's RSS feed. */
export function topicFeedPath(category: string): string {
  return `${topicPath(category)}/feed.xml`;
}

export function tagPath(subcategory: string): string {
  return `/tag/${encodeSegment(subcategory)}`;
}

export function authorPath(id: string, page = 1): string {
  return withPage(`/author/${encodeSegment(id)}`, page);
}

export function searchPath(category: string, term: string, page = 1): string {
  return withPage(`/search/${encodeSegment(category)}/${encodeSegment(term)}`, page);
}

export function eventPath(slug: string): string {
  return `/events/${encodeSegment(slug)}`;
}

export function eventsPath(tab: EventTab, page = 1): string {
  return withPage(tab === 'all' ? '/events' : `/events?tab=${tab}`, page);
}

/** Pixels of the image of a shared link, which networks show whole, and the query by which this origin crops one to them. */
export const SHARE_IMAGE = { width: 1_200, height: 630 } as const;
// Not made of the numbers: a computed constant would tie each script that has a path of the API to all of the site's.
export const SHARE_CROP = '1200x630';

/** Returns an image's URL at a width in pixels (specification, section 7: `?width=`). */
export function imageUrl(image: string, width: number): string {
  return `${image}${image.includes('?') ? '&' : '?'}width=${width}`;
}

/**
 * Widths of `srcset` for images of this origin, in pixels: those of `server/images` without 800, 1200 and 2000, which
 * save few bytes and cost a candidate in every `srcset`.
 */
const SRCSET_WIDTHS = [160, 320, 480, 640, 960, 1600];
/** Widest candidate in relation to `src`: a phone of three pixels a CSS pixel takes 960 for the lead of the home page. */
const MAX_SRC_RATIO = 2.2;
/** Physical pixels of a CSS pixel, on the densest screens. */
const MAX_PIXEL_RATIO = 4;

/**
 * Returns the attributes of an `img` that say where it comes from. Images of this origin, whose addresses are paths, have
 * a `srcset` of widths that `server/images` serves, up to 2.2 times `width`, without those that a place of a
 * fixed width (`96px`) needs on no screen; those of an image host one of `widths`, or none where there are no widths.
 */
export function imageSources(
  image: string,
  width: number,
  sizes: string | undefined,
  widths: readonly number[] = [],
): { src: string; srcSet?: string; sizes?: string | undefined } {
  // Not a number where the width depends on the viewport.
  const needed = Number(sizes?.replace('px', '')) * MAX_PIXEL_RATIO;
  const own = SRCSET_WIDTHS.filter((served) => served <= width * MAX_SRC_RATIO && !(served > needed));
  const srcSet = (image[0] === '/' ? own : widths)
    .map((candidate) => `${imageUrl(image, candidate)} ${candidate}w`)
    .join(', ');
  return { src: imageUrl(image, width), ...(srcSet && { srcSet, sizes }) };
}

/** For people whose photo is missing or fails. */
export const DEFAULT_PHOTO = '/default-author.svg';

/** Returns the `tel:` URL (RFC 3966) of a phone number as people write it: without spaces and hyphens. */
export function phoneUrl(phone: string): string {
  return `tel:${phone.replaceAll(/[^+\d]/g, '')}`;
}

/** No list has more pages: larger numbers are beyond the last one all the same, and need no keys of their own. */
const MAX_PAGE = 9_999_999;

/** Returns the page number of a query parameter, at most `MAX_PAGE`: 1 for anything but a positive integer. */
export function pageNumber(value: string | null | undefined): number {
  if (!value || !/^[0-9]+$/.test(value)) return 1;
  return Math.min(Math.max(1, Number(value)), MAX_PAGE);
}
