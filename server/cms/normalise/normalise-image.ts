/** Turns what the upstream says of a picture into its full address without a width; null where nothing may be drawn. */
export type ImageResolver = (path: string | null) => string | null;

/** Only tells paths apart; never part of a result. */
const NOWHERE = 'https://nowhere.invalid';
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
  return { origin: '', path: new URL(imageHost, NOWHERE).pathname.replace(/\/+$/, '') };
}

/** Decoded as often as a careless server might. */
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
 * `imageHost` is IMAGE_HOST: an absolute base address, or a base path of our own site such as `/media`.
 * A path is taken below it; an absolute address passes only when it is below it already.
 * Paths that climb with `..`, other schemes and protocol-relative addresses are refused.
 */
export function createImageResolver(imageHost: string): ImageResolver {
  const base = baseOf(imageHost);

  function ofAbsolute(url: URL): string | null {
    if (url.origin !== base.origin || !isUnder(url.pathname, base.path)) return null;
    return base.origin + withoutWidth(url);
  }

  function ofPath(path: string): string | null {
    const relative =
      base.origin === '' && isUnder(path, base.path) ? path : `${base.path}/${path.replace(/^\//, '')}`;
    const url = URL.parse(relative, NOWHERE);
    if (url === null || url.origin !== NOWHERE || !isUnder(url.pathname, base.path)) return null;
    return base.origin + withoutWidth(url);
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
