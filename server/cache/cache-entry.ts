import { hash } from 'node:crypto';
import type { Policy, Resource } from './resources.ts';

/** One value of ours in the cache. */
export interface Entry {
  resource: Resource;
  /** Has it asked for again, in the background: a page that finds it stale is no `read`. Null until its first reader. */
  renew: (() => void) | null;
  value: unknown;
  /** What it can be purged by, its resource's name among them. */
  tags: string[];
  digest: string;
  /** Another value gets another version. */
  version: number;
  /** Monotonic milliseconds. */
  storedAt: number;
  /** Multiplies the ttl. */
  jitter: number;
  bytes: number;
  /** When a soft purge made it stale, in monotonic milliseconds; infinite without one. */
  expiredAt: number;
}

/**
 * `fresh`: served as it is. `stale`: served while it is refreshed. `stale-if-error`: served where new data cannot be
 * had. `expired`: not served.
 */
export type Age = 'fresh' | 'stale' | 'stale-if-error' | 'expired';

/** TTLs differ by up to this share either way, so that entries stored together are not refreshed together. */
const JITTER = 0.1;

/** What an entry costs besides its key and its value, in bytes: the map's slot, the object, its tags. */
const OVERHEAD = 500;

/** A ttl's factor from 0.9 to 1.1; `random` is from 0 to 1. */
export function jitterOf(random: number): number {
  return 1 + (random * 2 - 1) * JITTER;
}

/** A value's fingerprint and its size in memory. Strings take up to two bytes a character. Throws for what is not JSON. */
export function measure(key: string, value: unknown): { digest: string; bytes: number } {
  const text = JSON.stringify(value);
  return { digest: hash('sha1', text, 'base64'), bytes: (text.length + key.length) * 2 + OVERHEAD };
}

/** Until when an entry is fresh, in monotonic milliseconds. The jitter never takes it past the three ages together. */
export function freshUntil(entry: Entry, { ttl, swr, sie }: Policy): number {
  const seconds = Math.min(ttl * entry.jitter, ttl + swr + sie);
  return Math.min(entry.storedAt + seconds * 1000, entry.expiredAt);
}

/** How old an entry is by a policy. Reckoned when it is asked for, so that a changed policy holds for what is cached. */
export function ageOf(entry: Entry, policy: Policy, now: number): Age {
  const { ttl, swr, sie } = policy;
  if (now - entry.storedAt >= (ttl + swr + sie) * 1000) return 'expired';
  const past = now - freshUntil(entry, policy);
  if (past < 0) return 'fresh';
  return past < swr * 1000 ? 'stale' : 'stale-if-error';
}

/** Freezes a value all the way down: a reader that changes what others read is then found out. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
