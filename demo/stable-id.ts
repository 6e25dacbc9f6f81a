import { createHash } from 'node:crypto';

/** A positive number below 2^31 that follows from the text alone, so that ids outlive restarts and additions. */
export function stableId(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1) + 1;
}
