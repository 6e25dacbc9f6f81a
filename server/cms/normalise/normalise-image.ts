import { canonicalPath } from '#shared/canonical-path.ts';

/** Turns an upstream image path into its full URL without a width; null where no image may be shown. */
export type ImageResolver = (path: string | null) => string | null;

/** Base for parsing paths; never part of a result. */
const PARSING_BASE = 'https://nowhere.invalid';
const MAX_LENGTH = 2048;
/** Files that browsers show and this site does not resize: they come from their host. */
const NOT_RESIZED = /\.(?:svgz?|ico|bmp)$/i;

/** Returns whether a path has `..`, also after it is decoded twice, as careless servers do. */
function climbs(path: string): boolean {
  const plain = path
    .replaceAll(/%25/gi, '%')
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/%5c|\\/gi, '/');
  return plain.split(/[/?#]/).includes('..');
}

/** Returns the path and the query of an image without its size: a height beside another width would cut or stretch it. */
function withoutSize(url: URL): string {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^(?:width|height)(=|$)/i.test(part));
  return `${url.pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`;
}

function isUnder(path: string, base: string): boolean {
  return path.startsWith(`${base}/`) && path.length > base.length + 1;
}

/**
 * Makes the resolver for `imageHost`: an absolute base URL (IMAGE_HOST), or a base path of our own site such as `/media`.
 * A path is taken below it; an absolute URL must be below it already. Refuses `..`, other schemes and protocol-relative
 * URLs. `servedBelow` is the path of our own site that serves resized images of `imageHost`: results are then below it
 * and have no query, since the path is all that the image route passes on; but for files that are not resized.
 */
export function createImageResolver(imageHost: string, servedBelow: string | null = null): ImageResolver {
  // The parsing base where `imageHost` is a path of our own site.
  const { origin, pathname } = new URL(imageHost, PARSING_BASE);
  const isOwn = origin === PARSING_BASE;
  const basePath = pathname.replace(/\/+$/, '');

  return (value) => {
    const path = value?.trim() ?? '';
    if (path.length > MAX_LENGTH || /\p{Cc}/u.test(path) || climbs(path)) return null;
    if (/^[/\\]{2}/.test(path)) return null;
    const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(path);
    if (isAbsolute && isOwn) return null;
    const relative = isOwn && isUnder(path, basePath) ? path : `${basePath}/${path.replace(/^\//, '')}`;
    const url = URL.parse(isAbsolute ? path : relative, origin);
    if (url === null || url.username !== '' || url.origin !== origin || !isUnder(url.pathname, basePath))
      return null;
    if (servedBelow !== null && (isOwn || !NOT_RESIZED.test(url.pathname)))
      return canonicalPath(servedBelow + url.pathname.slice(basePath.length));
    return (isOwn ? '' : origin) + withoutSize(url);
  };
}
