import type { IncomingMessage } from 'node:http';
import type { Problem } from '#server/problem-details.ts';
import { BAD_FRAMING, BAD_HOST, BAD_VERSION, LONG_TARGET } from './refusals.ts';

/** Methods that some route of this server takes. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Stands for every method that no route takes: 405 at a path that is there (RFC 9110, 15.5.6). */
export const OTHER_METHOD = 'TRACE';
const ROUTED_METHODS: ReadonlySet<string> = new Set([...METHODS, OTHER_METHOD]);

/** Servers should take at least as much (RFC 9110, 4.1). */
const MAX_TARGET_LENGTH = 8_000;

/** Whether a header's name is `Host`, in any case. Most names differ in length, which is checked first. */
function isHostName(name: string): boolean {
  return name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host');
}

/**
 * Checks a request's head, except for what is in its target: length, version, `Host` (RFC 9112, 3.2) and transfer coding
 * (RFC 9112, 6.1). Returns a refusal or null. Node's parser refuses the rest: methods that it does not know, and bad
 * framing as contradicting lengths, a length beside a coding, bare line feeds, folded lines.
 */
export function checkRequestHead(request: IncomingMessage): Problem | null {
  const { url = '' } = request;
  if (url.length > MAX_TARGET_LENGTH) return LONG_TARGET;
  if (request.httpVersionMajor !== 1) return BAD_VERSION;
  if (!hasOneHost(request)) return BAD_HOST;
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor !== 1))
    return BAD_FRAMING;
  return null;
}

/** Returns the method by which a request is routed. */
export function routedMethod(method = ''): string {
  return method === 'GET' || ROUTED_METHODS.has(method) ? method : OTHER_METHOD;
}

/** HTTP/1.0 may leave it out. Node keeps only the first of several, so raw headers are counted. */
function hasOneHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let count = 0;
  let host = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isHostName(rawHeaders[index] ?? '')) continue;
    count++;
    host = rawHeaders[index + 1] ?? '';
  }
  return count === 1 ? isHost(host) : count === 0 && httpVersionMinor === 0;
}

/** Matches nearly every target: a path and a query of visible ASCII that need no further check. */
const PLAIN = /^\/(?:[!"$&-\-/-[\]^-~]|\.(?!\.))*$/;
/** Origin form (RFC 9112, 3.2.1). Browsers send a backslash in a query unescaped. */
const ORIGIN_FORM = /^(\/[!"$->@-[\]-~]*)(?:\?[!"$-~]*)?$/;
/** Absolute form (RFC 9112, 3.2.2): captures the authority, and the rest. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Captures everything up to a search term, and the term: one segment of free text. */
const SEARCH_TERM = /^((?:\/api)?\/search\/[^/]+\/)([^/]+)\/?$/;
const DOT_DOT = /(?:^|[/\\])\.\.(?:[/\\]|$)/;
const CONTROL = /\p{Cc}/u;
const ESCAPED_ASCII = /^%[0-7][\da-f]$/i;
/** Escaped once. */
const ESCAPED_DOT = /%2e/gi;

/**
 * Returns a request target as path and query, or null for a 400. Origin form is returned as it is, absolute form as its
 * path, whatever its host. It may begin with two slashes: never resolve it as a URL. Null: authority form, `*`, a
 * fragment, control characters, non-ASCII, path traversal.
 *
 * Path traversal is a `..` between slashes or backslashes after any number of decodings. A control character is refused
 * after any number of decodings too. A search term is free text in one segment, so `a%2F..%2Fb` and `%252E%252E` are
 * allowed there: only a `..` that URL parsers see, escaped once at most, is refused.
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
  return DOT_DOT.test(decoded) || CONTROL.test(decoded) || term.replace(ESCAPED_DOT, '.') === '..';
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
