import { slug } from './post-fields.ts';
import type { Discovery } from './rest-api-discovery.ts';

/** Below these, and in files, the last segment of a path names no post. */
const OTHER_PATH = /^\/(author|category|tag|page|date|wp-[a-z]+)\/|\.\w+$/;
/** A permalink by number: `/?p=12`, `/archives/12`, `/index.php/archives/12`. */
const NUMBERED = /^(?:(?:\/index\.php)?\/archives\/|.*[?&]p=)(\d{1,9})(?![^/?&])/;

/** How the post of a link is found: by its slug, or by its id (`include`). */
export interface Target {
  by: 'slug' | 'include';
  value: string;
}

/** Returns the path of a link in one form: with its query, in its own letters, and without a slash at its end. */
export function pageOf(link: string): string {
  const url = URL.parse(link);
  return url === null ? '' : slug.parse(url.pathname).replace(/\/$/, '') + url.search;
}

/** Returns how to find the post of a link. Null for other sites; an empty value for no post. */
export function linkTarget(href: string, { homes }: Pick<Discovery, 'homes'>): Target | null {
  const url = new URL(href);
  const address = plain(url.origin + url.pathname);
  const home = homes.map(plain).find((each) => `${address}/`.startsWith(`${each}/`));
  if (home === undefined) return null;
  const path = address.slice(home.length);
  const id = NUMBERED.exec(path + url.search)?.[1];
  if (id !== undefined) return { by: 'include', value: id };
  const last = OTHER_PATH.test(path) ? '' : (path.split('/').filter(Boolean).at(-1) ?? '');
  return { by: 'slug', value: slug.parse(last) };
}

/** Returns an address as it is known by: whatever its scheme, with or without `www`. */
function plain(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, '');
}
