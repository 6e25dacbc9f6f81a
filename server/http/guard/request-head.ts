import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refuse-connection.ts';
import { isHost } from './request-target.ts';

/** Methods that some route of this server takes. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Methods that are 405 at a path that does not take them (RFC 9110, 15.5.6); all others are 501 (9.1). */
export const KNOWN_METHODS = [...METHODS, 'TRACE'] as const;
const KNOWN: ReadonlySet<string> = new Set(KNOWN_METHODS);

export const BAD_METHOD: Refusal = { status: 501, detail: 'This server does not know the method.' };
const BAD_VERSION: Refusal = { status: 505, detail: 'This server speaks HTTP/1.1.' };

const BAD_HOST: Refusal = { status: 400, detail: 'The request needs one valid Host header.' };
const BAD_FRAMING: Refusal = { status: 400, detail: 'The end of the request cannot be determined.' };
const BAD_CODING: Refusal = { status: 501, detail: 'The only supported transfer coding is chunked.' };

/** Whether a header's name is `Host`, in any case. Most names differ in length, which is checked first. */
function isHostName(name: string): boolean {
  return name.length === 4 && (name === 'Host' || name.toLowerCase() === 'host');
}

/**
 * Checks a request's head: version, method, `Host` (RFC 9112, 3.2) and transfer coding (RFC 9112, 6.1). Returns a refusal
 * or null. Node's parser refuses the rest of bad framing: contradicting lengths, a length beside a coding, bare line feeds,
 * folded lines.
 */
export function checkRequestHead(request: IncomingMessage): Refusal | null {
  if (request.httpVersionMajor !== 1) return BAD_VERSION;
  if (!hasOneHost(request)) return BAD_HOST;
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor !== 1))
    return /,\s*chunked$/i.test(coding) ? BAD_CODING : BAD_FRAMING;
  const { method = '' } = request;
  return method === 'GET' || KNOWN.has(method) ? null : BAD_METHOD;
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
