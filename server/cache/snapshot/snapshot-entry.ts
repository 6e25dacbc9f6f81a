import { z } from 'zod';
import { type CacheEntry, measureValue } from '#server/cache/cache-entry.ts';
import { RESOURCES } from '#shared/models/resources-and-policies.ts';

export const snapshotEntrySchema = z.object({
  key: z.string(),
  resource: z.enum(RESOURCES),
  tags: z.array(z.string()),
  value: z.json(),
  ageMs: z.number().min(0),
  jitter: z.number().min(0.5).max(1.5),
  softPurged: z.boolean(),
});

/** An entry in a snapshot, with its age instead of a time: a monotonic clock ends with its process. */
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;

/** Returns an entry as stored in a snapshot. `now` in monotonic milliseconds. */
export function toSnapshotEntry(key: string, entry: CacheEntry, now: number): SnapshotEntry {
  const { resource, tags, jitter, storedAt, softPurgedAt } = entry;
  // The digest of every stored value was computed from its JSON.
  const value = entry.value as SnapshotEntry['value'];
  return {
    key,
    resource,
    tags,
    value,
    ageMs: Math.max(0, now - storedAt),
    jitter,
    softPurged: softPurgedAt !== null,
  };
}

/** Returns the cache entry of a snapshot taken `elapsedMs` ago. Its first read sets `refresh`. */
export function fromSnapshotEntry(
  saved: SnapshotEntry,
  version: number,
  now: number,
  elapsedMs: number,
): CacheEntry {
  const { key, ageMs, softPurged, ...kept } = saved;
  return {
    ...kept,
    refresh: null,
    version,
    storedAt: now - ageMs - elapsedMs,
    softPurgedAt: softPurged ? now : null,
    ...measureValue(key, kept.value, kept.tags),
  };
}
