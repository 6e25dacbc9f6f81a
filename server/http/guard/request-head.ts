import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refuse-connection.ts';
import { isHost } from './request-target.ts';

/** What this server can do for some resource or other; the rest is 501 (RFC 9110, 9.1). */
export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

export const BAD_METHOD: Refusal = { status: 501, detail: 'This server does not know the method.' };
const BAD_VERSION: Refusal = { status: 505, detail: 'This server speaks HTTP/1.1.' };

const BAD_HOST: Refusal = { status: 400, detail: 'The request needs one valid Host header.' };
const BAD_FRAMING: Refusal = { status: 400, detail: 'The end of the request cannot be told.' };
const BAD_CODING: Refusal = { status: 501, detail: 'The only transfer coding taken is chunked.' };

/** Whether a header's name is `Host`, in any case; nearly every name tells by its length. */
function isHostName(name: string): boolean {
  return name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host');
}

/**
 * Makes a check that returns why a request's head is refused, or null: the version, the method, `Host` (RFC 9112, 3.2)
 * and the transfer coding (RFC 9112, 6.1). The rest of the framing is the parser's: lengths that disagree, a length beside
 * a coding, bare line feeds, folded lines.
 */
export function createRequestHeadCheck(): (request: IncomingMessage) => Refusal | null {
  /** The last value that was found valid: nearly always that of the next request too. */
  let validHost = '';

  /** HTTP/1.0 may leave it out. Node keeps the first of several, so that they are counted as they came. */
  function hasOneHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
    let count = 0;
    let host = '';
    for (let index = 0; index < rawHeaders.length; index += 2) {
      if (!isHostName(rawHeaders[index] ?? '')) continue;
      count++;
      host = rawHeaders[index + 1] ?? '';
    }
    if (count !== 1) return count === 0 && httpVersionMinor === 0;
    if (host !== validHost && !isHost(host)) return false;
    validHost = host;
    return true;
  }

  return (request) => {
    if (request.httpVersionMajor !== 1) return BAD_VERSION;
    if (!hasOneHost(request)) return BAD_HOST;
    const coding = request.headers['transfer-encoding'];
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor !== 1))
      return /,\s*chunked$/i.test(coding) ? BAD_CODING : BAD_FRAMING;
    const { method = '' } = request;
    return method === 'GET' || METHODS.has(method) ? null : BAD_METHOD;
  };
}
