import type { IncomingHttpHeaders } from 'node:http';

/**
 * Evaluates the preconditions of a GET or HEAD whose response would be 200 (RFC 9110, 13.2): 412 where `If-Match` does not
 * match, 304 where `If-None-Match` does, else null. Dates are ignored: what is sent with this has no modification date.
 */
export function evaluatePreconditions(
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  etag: string,
): 304 | 412 | null {
  if (ifMatch !== undefined && !matches(ifMatch, etag, false)) return 412;
  return ifNoneMatch !== undefined && matches(ifNoneMatch, etag, true) ? 304 : null;
}

/** Whether a list of ETags has a strong one: by weak comparison, or by strong comparison (RFC 9110, 8.8.3.2). */
function matches(header: string, etag: string, isWeak: boolean): boolean {
  if (header === etag) return true;
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || (isWeak && tag === `W/${etag}`);
  });
}
