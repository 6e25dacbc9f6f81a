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

function relink(link: Element): Element['children'] | 'keep' {
  const properties = safeLink(link.properties.href);
  if (properties === null) return link.children;
  link.properties = properties;
  return 'keep';
}

/** Keeps links to web, mail and telephone URLs, in their normal form; of others only the text. */
export function secureLinks() {
  return (root: Root): void => {
    editChildren(root, (element) => (element.tagName === 'a' ? relink(element) : 'keep'));
  };
}
