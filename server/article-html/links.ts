import type { Element, Properties } from 'hast';

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

/**
 * Returns the attributes of a link to a web, mail or telephone URL, in its normal form; of another link only the id, if it
 * has one. Editors name anchors by `name` too, which HTML replaced by `id`.
 */
export function securedLink({ properties: { href, id, name } }: Element): Properties {
  const target = id ?? name;
  return { ...safeLink(href), ...(target !== undefined && { id: target }) };
}
