import { canonicalPath } from '#shared/canonical-path.ts';

/** Turns an upstream image path into its full URL without a width; null where no image may be shown. */
export type ImageResolver = (path: string | null) => string | null;

/** Base for parsing paths; never part of a result. */
const PARSING_BASE = 'https://nowhere.invalid';
const MAX_LENGTH = 2048;

interface ImageBase {
  /** Empty where IMAGE_HOST is a path of our own site. */
  origin: string;
  /** Without a slash at its end. */
  path: string;
}

function baseOf(imageHost: string): ImageBase {
  const url = URL.parse(imageHost);
  if (url !== null) return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
  return { origin: '', path: new URL(imageHost, PARSING_BASE).pathname.replace(/\/+$/, '') };
}

/** Returns whether a path has `..`, also after it is decoded twice, as careless servers do. */
function climbs(path: string): boolean {
  const plain = path
    .replaceAll(/%25/gi, '%')
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/%5c|\\/gi, '/');
  return plain.split(/[/?#]/).includes('..');
}

function withoutWidth(url: URL): string {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^width(=|$)/i.test(part));
  return `${url.pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`;
}

function isUnder(path: string, base: string): boolean {
  return path.startsWith(`${base}/`) && path.length > base.length + 1;
}

/**
 * Makes the resolver for `imageHost`: an absolute base URL (IMAGE_HOST), or a base path of our own site such as `/media`.
 * A path is taken below it; an absolute URL must be below it already. Refuses `..`, other schemes and protocol-relative
 * URLs. `servedBelow` is the path of our own site that serves resized images of `imageHost`: results are then below it
 * and have no query, since the path is all that the image route passes on.
 */
export function createImageResolver(
  imageHost: string,
  { servedBelow = null }: { servedBelow?: string | null } = {},
): ImageResolver {
  const base = baseOf(imageHost);

  function resolvedUrl(url: URL): string | null {
    if (servedBelow === null) return base.origin + withoutWidth(url);
    return canonicalPath(servedBelow + url.pathname.slice(base.path.length));
  }

  function ofAbsolute(url: URL): string | null {
    if (url.origin !== base.origin || !isUnder(url.pathname, base.path)) return null;
    return resolvedUrl(url);
  }

  function ofPath(path: string): string | null {
    const relative =
      base.origin === '' && isUnder(path, base.path) ? path : `${base.path}/${path.replace(/^\//, '')}`;
    const url = URL.parse(relative, PARSING_BASE);
    if (url === null || url.origin !== PARSING_BASE || !isUnder(url.pathname, base.path)) return null;
    return resolvedUrl(url);
  }

  return (value) => {
    const path = value?.trim() ?? '';
    if (path === '' || path.length > MAX_LENGTH || /\p{Cc}/u.test(path) || climbs(path)) return null;
    if (/^[/\\]{2}/.test(path) || /^[#?]/.test(path)) return null;
    if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
      const url = URL.parse(path);
      return url === null || url.username !== '' ? null : ofAbsolute(url);
    }
    return ofPath(path);
  };
}
