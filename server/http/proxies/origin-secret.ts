import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HEALTH_CHECK_PATHS } from '../health/health-routes.ts';

/**
 * Returns whether a request came through the CDN: its `X-Origin-Secret` is `ORIGIN_SECRET`, its path is that of a health
 * check, which comes from inside, where nobody knows the secret, or no secret is set. Compares digests in constant time.
 */
export function createOriginSecretCheck(
  secret: string | null,
): (path: string, headers: IncomingHttpHeaders) => boolean {
  if (secret === null) return () => true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (path, { 'x-origin-secret': given }) =>
    HEALTH_CHECK_PATHS.has(path.split('?', 1)[0] ?? '') ||
    (typeof given === 'string' && timingSafeEqual(digest(given), expected));
}
