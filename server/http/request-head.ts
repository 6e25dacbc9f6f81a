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

/**
 * Returns why a request's head is refused, or null: the version, the method, `Host` (RFC 9112, 3.2) and the transfer
 * coding (RFC 9112, 6.1). The rest of the framing is the parser's: lengths that disagree, a length beside a coding, bare
 * line feeds, folded lines.
 */
export function checkRequestHead(request: IncomingMessage): Refusal | null {
  if (request.httpVersionMajor !== 1) return BAD_VERSION;
  const { headers, method = '' } = request;
  if (!hasOneHost(request)) return BAD_HOST;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor !== 1))
    return /,\s*chunked$/i.test(coding) ? BAD_CODING : BAD_FRAMING;
  return method === 'GET' || METHODS.has(method) ? null : BAD_METHOD;
}

/** HTTP/1.0 may leave it out. Node keeps the first of several, so that they are counted as they came. */
function hasOneHost({ headers: { host }, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count === 1 && isHost(host);
}
