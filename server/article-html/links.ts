import type { Element, Properties, Root } from 'hast';
import { editChildren } from './edit-children.ts';

/** Base for parsing hrefs; never part of a result. */
const OWN_SITE = 'https://own-site.invalid';
const ALLOWED = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const MAX_LENGTH = 4096;

function withinSite(url: URL, href: string): string {
  if (href.startsWith('#')) return url.hash;
  // A path that begins with two slashes names another host.
  return `/${url.pathname.replace(/^\/+/, '')}${url.search}${url.hash}`;
}

/** Returns the attributes of a safe link, or null. */
function safeLink(value: unknown): Properties | null {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const href = value.trim();
  const url = href === '' ? null : URL.parse(href, `${OWN_SITE}/`);
  if (url === null || !ALLOWED.has(url.protocol)) return null;
  if (url.origin === OWN_SITE) {
    const inside = withinSite(url, href);
    return inside === '' ? null : { href: inside };
  }
  return /^https?:$/.test(url.protocol) ? { href: url.href, rel: ['noopener'] } : { href: url.href };
}

/** Editors name anchors by `name` too, which HTML replaced by `id`. */
function relink({ properties: { href, id, name } }: Element): Properties {
  const target = id ?? name;
  return { ...safeLink(href), ...(target !== undefined && { id: target }) };
}

/** Keeps links to web, mail and telephone URLs, in their normal form; of others only the text and the id, if they have one. */
export function secureLinks() {
  return (root: Root): void => {
    editChildren(root, (element) => {
      if (element.tagName === 'a') element.properties = relink(element);
      return 'keep';
    });
  };
}
