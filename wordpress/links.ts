import type { z } from 'zod';
import { eventPath, plain, postPath, slug, type Term, type WpMedia, type WpPost } from './post-fields.ts';
import type { Discovery } from './rest-api-discovery.ts';
import type { Sections } from './sections.ts';

/** Below these, and in files, the last segment of a path names no post. */
const OTHER_PATH = /^\/(author|category|tag|date|wp-[a-z]+)\/|\.\w+$/;
/** At the end of permalinks such as `/%postname%.html`. */
const SUFFIX = /\.html?$/;
/** A permalink by number: `/?p=12`, `/archives/12`. */
const NUMBERED = /^(?:(?:\/index\.php)?\/archives\/|.*[?&]p=)(\d{1,9})(?![^/&?])/;
/** At the end of an address, other views of what is there: pages of a list or of its comments, feeds, embeds. */
const VIEW = /\/(?:(?:page\/|comment-page-)\d+|feed(?:\/(?:rss2?|atom|rdf))?|embed|trackback)$/;
/** A page of a long post, and AMP. What comes after a number alone is a month or a day of an archive, or a post. */
const PAGE_OF_POST = /(?<=\/[^/]*[^\d/][^/]*)\/(?:\d{1,2}|amp)$/;
/** Parameters that count clicks. */
const COUNTING = /^utm_|clid$/;
/** By the parameter of an address without a path: what is there. */
const PARAMETERS: Readonly<Record<string, Kind>> = {
  cat: 'category',
  tag: 'tag',
  author: 'authorId',
  attachment_id: 'attachment',
  tribe_events: 'event',
  s: 'search',
};

/** What an event's address has below the folder of events: its slug, and for a repeated one its day. */
const EVENT = /^\/([^/]+)(?:\/\d{4}-\d\d-\d\d(?:\/\d+)?)?$/;
/** Of The Events Calendar, unless its settings name another one. */
export const EVENT_FOLDER = '/event';
const EVENT_LISTS = /^\/events(?:\/|$)/;
const SEARCH = /^\/search\/([^/]+)$/;

/** How the target of a link is found: a post by its slug or its id (`include`), the front page by nothing. */
type Kind =
  | 'slug'
  | 'include'
  | 'home'
  | 'event'
  | 'events'
  | 'category'
  | 'tag'
  | 'author'
  | 'authorId'
  | 'attachment'
  | 'search';

export interface Target {
  by: Kind;
  value: string;
}

/** Folders below which pages of one kind are, such as `/author`, as `foldersOf` returns them. */
export type Folders = Readonly<Record<'tag' | 'author', ReadonlySet<string>>>;

const lastSegment = (path: string) => path.replace(SUFFIX, '').split('/').filter(Boolean).at(-1) ?? '';

/** What the addresses of posts end with: their name (`/%postname%/`), their number, or both. */
export type Ending = 'name' | 'number' | 'name-number' | 'number-name';

/** Returns what the address of a post ends with, as those of all posts do then. */
export function endingOf({ id, slug: name, link }: WpPost): Ending {
  const last = lastSegment(pageOf(link));
  if (last === String(id)) return 'number';
  if (last === `${name}-${id}`) return 'name-number';
  return last === `${id}-${name}` ? 'number-name' : 'name';
}

/** Returns how to find the post whose address ends with a segment. */
function postOf(last: string, ending: Ending): Target {
  if (ending === 'number' && /^\d{1,9}$/.test(last)) return { by: 'include', value: last };
  if (ending === 'name-number') return { by: 'slug', value: last.replace(/-\d{1,9}$/, '') };
  return { by: 'slug', value: ending === 'number-name' ? last.replace(/^\d{1,9}-/, '') : last };
}

/**
 * Returns what a link leads to in one form: links to the same differ by a slash, by how letters are encoded, by parameters
 * that count clicks, and by the view of it.
 */
export function pageOf(link: string): string {
  const url = URL.parse(link);
  if (url === null) return '';
  const path = slug.parse(url.pathname).replace(/\/$/, '').replace(VIEW, '');
  const named = [...url.searchParams].find(([name]) => Object.hasOwn(PARAMETERS, name));
  return named ? `${path}/?${named.join('=')}` : path;
}

/**
 * Returns the folders that pages are in, such as `/category`; none of what is at the root or at one of `homes`, where posts may
 * be too, or is named by a parameter.
 */
export function foldersOf(links: readonly string[], homes: readonly string[] = []): Set<string> {
  const roots = homes.map(pageOf);
  const folders = links.flatMap((link) => /^(.+)\/[^/?]+$/.exec(pageOf(link))?.[1] ?? []);
  return new Set(folders.filter((folder) => !roots.includes(folder)));
}

/** Returns the path of a link below a WordPress, in its own letters; null for other sites. */
export function pathBelow(href: string, homes: readonly string[]): string | null {
  const url = new URL(href);
  const address = plain(url.origin + url.pathname);
  const home = homes.map(plain).find((each) => `${address}/`.startsWith(`${each}/`));
  return home === undefined ? null : slug.parse(address.slice(home.length)).replace(/\/$/, '');
}

/**
 * Returns how to find the target of a link. Null for other sites; an empty value for none that is known.
 * `ending`: of the addresses of posts.
 */
export function linkTarget(
  href: string,
  { homes, eventFolder }: Pick<Discovery, 'homes' | 'eventFolder'>,
  ending: Ending = 'name',
  folders: Folders = { tag: new Set(), author: new Set() },
): Target | null {
  const below = pathBelow(href, homes);
  if (below === null) return null;
  const { search, searchParams } = new URL(href);
  const isWhole = [...searchParams.keys()].every((name) => COUNTING.test(name) || name === 'feed');
  const path = below.replace(VIEW, '').replace(/^\/index\.php$/, '');
  const named = [...searchParams].find(([name]) => Object.hasOwn(PARAMETERS, name));
  if (named && path === '') return { by: PARAMETERS[named[0]] ?? 'slug', value: named[1] };
  if (path === '' && isWhole) return { by: 'home', value: '' };
  if (eventFolder !== null) {
    const [, event] = path.startsWith(eventFolder) ? (EVENT.exec(path.slice(eventFolder.length)) ?? []) : [];
    if (event !== undefined) return { by: 'event', value: event };
    if (EVENT_LISTS.test(path)) return { by: 'events', value: '' };
  }
  const term = SEARCH.exec(path)?.[1];
  if (term !== undefined) return { by: 'search', value: term };
  const id = NUMBERED.exec(path.replace(SUFFIX, '') + search)?.[1];
  if (id !== undefined) return { by: 'include', value: id };
  const [page = ''] = pageOf(href).split('/?');
  for (const by of ['tag', 'author'] as const)
    if ([...folders[by]].some((folder) => page.startsWith(`${folder}/`)))
      return { by, value: lastSegment(page) };
  const post = ending === 'number' ? path : path.replace(PAGE_OF_POST, '');
  const last = OTHER_PATH.test(post.replace(SUFFIX, '')) ? '' : lastSegment(post);
  return postOf(last, ending);
}

/** Whether a link asks for the feed of what it leads to. */
export function isFeed(href: string): boolean {
  const { pathname, searchParams } = new URL(href);
  return /\/feed(?:\/[a-z\d]+)?\/?$/.test(pathname) || searchParams.has('feed');
}

/** Returns the path of the feed of a page; of the page itself where it has none. */
export function feedOf(path: string): string {
  return path.replace(/^(\/topic\/[^/]+|)\/?$/, '$1/feed.xml');
}

/** Returns the path of an author on the site. */
export const authorPath = (id: number | string) => `/author/${id}`;

/** What was found of the targets of links. */
export interface LinkedContent {
  sections: Sections;
  categories: readonly Term[];
  posts: readonly WpPost[];
  files: readonly z.infer<typeof WpMedia>[];
}

/** Returns the site's path for a target, or the address of an attachment's file; null where there is none. */
export function addressOf(
  { by, value }: Target,
  { sections, categories, posts, files }: LinkedContent,
): string | null {
  const isIt = (each: { id: number; slug: string }) =>
    value === (by === 'slug' ? each.slug : String(each.id));
  const term = by === 'tag' ? { id: 0, slug: value } : categories.find(isIt);
  const post = posts.find(isIt);
  switch (by) {
    case 'home':
      return '/';
    case 'events':
      return '/events';
    case 'event':
      return eventPath(value);
    case 'search':
      return value.trim() === '' ? null : `/search/all/${encodeURIComponent(value.trim())}`;
    case 'authorId':
      return /^[1-9]\d{0,9}$/.test(value) ? authorPath(value) : null;
    case 'tag':
    case 'category':
      return term && value !== '' ? sections.pathOf(term) : null;
    case 'author':
      return null;
    default:
      return post ? postPath(post, sections) : (files.find(isIt)?.source_url ?? null);
  }
}
