import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { HEALTH_CHECK_PATHS } from './health.ts';

/** Whether a request may have come through the CDN. */
export type OriginSecretCheck = (target: string, headers: IncomingHttpHeaders) => boolean;

/**
 * Creates the check of `X-Origin-Secret`, by which a request has come through the CDN. Always true where no secret is set, and
 * for a health check: it comes from inside, where nobody knows the secret. Compares digests in constant time.
 */
export function createOriginSecretCheck(secret: string | null): OriginSecretCheck {
  if (secret === null) return () => true;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const expected = digest(secret);
  return (target, { 'x-origin-secret': given }) =>
    HEALTH_CHECK_PATHS.has(target.split('?', 1)[0] ?? '') ||
    (typeof given === 'string' && timingSafeEqual(digest(given), expected));
}
