import { createHash } from 'node:crypto';

/** Hashes a text to a positive number below 2^31, so that ids stay the same after restarts and additions. */
export function stableId(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1) + 1;
}
