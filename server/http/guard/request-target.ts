/** Matches nearly every target: a path and a query of visible ASCII that need no further check. */
const PLAIN = /^\/(?!\/)(?:[!"$&-\-/-[\]^-~]|\.(?!\.))*$/;
/** Origin form (RFC 9112, 3.2.1), not a network path. Browsers send a backslash in a query unescaped. */
const ORIGIN_FORM = /^(\/(?!\/)[!"$->@-[\]-~]*)(?:\?[!"$-~]*)?$/;
/** Absolute form (RFC 9112, 3.2.2): captures the authority, and the rest. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Captures everything up to a search term, and the term: one segment of free text. */
const SEARCH_TERM = /^((?:\/api)?\/search\/[^/]+\/)([^/]+)\/?$/;
/** Browsers' URL parsers treat a backslash as a slash. */
const NETWORK_PATH = /^[/\\]{2}/;
const DOT_DOT = /(?:^|[/\\])\.\.(?:[/\\]|$)/;
const CONTROL = /\p{Cc}/u;
const ESCAPED_ASCII = /^%[0-7][\da-f]$/i;
/** Escaped once. */
const ESCAPED_DOT = /%2e/gi;

/**
 * Returns a request target as path and query, or null for a 400. Origin form is returned as it is, absolute form as its
 * path, whatever its host. Null: authority form, `*`, a network path, a fragment, control characters, non-ASCII, path
 * traversal.
 *
 * Path traversal is a `..` between slashes or backslashes after any number of decodings. A control character, or a slash
 * or backslash right after the first slash, is refused after any number of decodings too. A search term is free text in
 * one segment, so `a%2F..%2Fb` and `%252E%252E` are allowed there: only a `..` that URL parsers see, escaped once at most,
 * is refused.
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
  return isUnsafe(decodeFully(before)) || term.replace(ESCAPED_DOT, '.') === '..';
}

function isUnsafe(path: string): boolean {
  return DOT_DOT.test(path) || NETWORK_PATH.test(path) || CONTROL.test(path);
}

/**
 * Decodes ASCII escapes until none is left, also those that decoding brings forth (`%252e`, `%%32%65`), in one pass: each
 * character that completes an escape takes its place. Unlike `decodeURIComponent` it accepts broken ones, as a lenient
 * decoder elsewhere might.
 */
export function decodeFully(text: string): string {
  const decoded: string[] = [];
  for (const character of text) {
    decoded.push(character);
    while (decoded.at(-3) === '%') {
      const last = decoded.slice(-3).join('');
      if (!ESCAPED_ASCII.test(last)) break;
      decoded.splice(-3, 3, String.fromCharCode(Number.parseInt(last.slice(1), 16)));
    }
  }
  return decoded.join('');
}

const HOST = /^(?:(?:[\w~-]+\.)*[\w~-]+\.?|\[[\da-f:.]+\])(?::(\d{0,5}))?$/i;
const MAX_HOST_LENGTH = 300;

/** Whether a text is a host with or without a port (RFC 9112, 3.2), a name, an IPv4 or an IPv6 address. */
export function isHost(text: string): boolean {
  const match = text.length <= MAX_HOST_LENGTH ? HOST.exec(text) : null;
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}
