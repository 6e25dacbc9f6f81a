/** What nearly every target is: a path and a query of visible ASCII, in which nothing has to be looked at again. */
const PLAIN = /^\/(?!\/)(?:[!"$&-\-/-[\]^-~]|\.(?!\.))*$/;
/** Origin form (RFC 9112, 3.2.1), no network path. Browsers send a backslash of a query as it is typed. */
const ORIGIN_FORM = /^(\/(?!\/)[!"$->@-[\]-~]*)(?:\?[!"$-~]*)?$/;
/** Absolute form (RFC 9112, 3.2.2): its authority, and the rest. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Everything up to a search term, and the term: what a reader has typed, as one segment. */
const SEARCH_TERM = /^((?:\/api)?\/search\/[^/]+\/)([^/]+)\/?$/;
/** URL parsers of browsers take a backslash for a slash. */
const NETWORK_PATH = /^[/\\]{2}/;
const CLIMB = /(?:^|[/\\])\.\.(?:[/\\]|$)/;
const ESCAPED_ASCII = /%([0-7][\da-f])/gi;
/** Escapes of escapes (`%2525…`) are followed so far; each one costs a pass over the path. */
const MAX_DECODINGS = 8;

/**
 * Returns a request target as path and query, or null where the request deserves a 400. Origin form stays as it is;
 * absolute form is its path, whatever its host. Null: authority form, `*`, a network path, a fragment, control characters
 * and non-ASCII, and a path that climbs.
 *
 * A path climbs where any number of decodings brings forth a `..` between slashes or backslashes. It is refused as well
 * where they bring forth a control character, or a slash or backslash right after the first slash. A search term is data
 * of one segment, so that `a%2F..%2Fb` and `%252E%252E` are fine in its place: it climbs only where URL parsers see `..`,
 * escaped once at most.
 */
export function parseRequestTarget(target: string): string | null {
  if (PLAIN.test(target)) return target;
  const local = originFormOf(target);
  const path = local === null ? undefined : ORIGIN_FORM.exec(local)?.[1];
  return path === undefined || isUnsafePath(path) ? null : local;
}

function originFormOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(target) ?? [];
  if (!isHost(authority)) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isUnsafePath(path: string): boolean {
  const [, before = path, term = ''] = SEARCH_TERM.exec(path) ?? [];
  const decoded = decodeFully(before);
  return decoded === null || isUnsafe(decoded) || decodeAscii(term) === '..';
}

function isUnsafe(path: string): boolean {
  return CLIMB.test(path) || NETWORK_PATH.test(path) || hasControl(path);
}

/** Null where the escapes go deeper than anybody needs. */
function decodeFully(path: string): string | null {
  let text = path;
  for (let pass = 0; pass < MAX_DECODINGS; pass++) {
    const decoded = decodeAscii(text);
    if (decoded === text) return text;
    text = decoded;
  }
  return null;
}

/** Unlike `decodeURIComponent` it takes what is broken, as a lenient decoder behind this one might. */
function decodeAscii(text: string): string {
  return text.replace(ESCAPED_ASCII, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 127) return true;
  }
  return false;
}

const HOST = /^(?:(?:[\w~-]+\.)*[\w~-]+\.?|\[[\da-f:.]+\])(?::(\d{0,5}))?$/i;
const MAX_HOST_LENGTH = 300;

/** Whether a text is a host with or without a port (RFC 9112, 3.2), a name, an IPv4 or an IPv6 address. */
export function isHost(text: string): boolean {
  const match = text.length <= MAX_HOST_LENGTH ? HOST.exec(text) : null;
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}
