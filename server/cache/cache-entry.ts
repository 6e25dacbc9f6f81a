import { hash } from 'node:crypto';
import type { Resource } from './resources.ts';

/** One answer of ours as the cache keeps it. Moments are monotonic milliseconds. */
export interface CacheEntry {
  resource: Resource;
  /** Has it asked for again, in the background: a page that finds it stale is no `read`. */
  renew: (() => void) | null;
  value: unknown;
  tags: string[];
  digest: string;
  /** Another value gets another version. */
  version: number;
  storedAt: number;
  /** Multiplies the ttl, so that what was stored together does not expire together. */
  jitter: number;
  bytes: number;
  /** When a soft purge made it stale. Its age goes on: no purge makes a copy younger. */
  expired: number | null;
}

/** What an entry holds besides its value and text: objects, strings of tags, places in maps. */
const OVERHEAD_BYTES = 500;

/** Tells values apart, and what keeping one costs. A value is plain JSON (architecture, How data flows). */
export function weigh(key: string, value: unknown): { digest: string; bytes: number } {
  const text = JSON.stringify(value);
  return {
    digest: hash('sha1', text, 'base64'),
    bytes: (text.length + key.length) * 2 + OVERHEAD_BYTES,
  };
}
