import { randomBytes } from 'node:crypto';

/** Ids that tell requests apart across restarts and instances: a random part of the process and a counter. */
export function createRequestId(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${prefix}-${(++count).toString(36)}`;
}
