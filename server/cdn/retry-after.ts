/**
 * Returns the milliseconds that a `Retry-After` header asks to wait (RFC 9110, 10.2.3): seconds or an HTTP date. Null
 * where it asks for nothing: it is absent, not valid, or past. `now`: wall milliseconds.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return ms > 0 ? ms : null;
}
