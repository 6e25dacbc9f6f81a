import { hash } from 'node:crypto';
import type { Resource } from '#shared/models/resources-and-policies.ts';

/** A cached value and what the cache knows of it. Times in monotonic milliseconds. */
export interface CacheEntry {
  resource: Resource;
  /** Refreshes it in the background, for a page that finds it stale. Null from a snapshot until its first read. */
  refresh: (() => void) | null;
  value: unknown;
  tags: string[];
  digest: string;
  /** Changes with the value. */
  version: number;
  storedAt: number;
  /** Factor of the ttl, so that entries stored together do not become stale together. */
  jitter: number;
  bytes: number;
  /** Set by a soft purge. Does not reset the age: a purged entry must never count as younger. */
  softPurgedAt: number | null;
}

/** Size of an entry without its key and value: objects, tags, closures, slots in maps. Measured on the heap. */
const OVERHEAD_BYTES = 1_000;
/** Size of a tag's place in the index. */
const TAG_BYTES = 60;

/** Returns a value's digest, by which values are compared, and the estimated size of its entry. The value is plain JSON. */
export function measureValue(
  key: string,
  value: unknown,
  tags: readonly string[],
): { digest: string; bytes: number } {
  const text = JSON.stringify(value);
  return {
    digest: hash('sha1', text, 'base64'),
    bytes: (text.length + key.length) * 2 + tags.length * TAG_BYTES + OVERHEAD_BYTES,
  };
}
