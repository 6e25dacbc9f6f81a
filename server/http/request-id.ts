import { randomBytes } from 'node:crypto';

/** Returns a generator of request ids: a random prefix per process, so that restarts and instances differ, and a counter. */
export function createRequestId(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
