import { z } from 'zod';
import { type CacheEntry, weigh } from '#server/cache/cache-entry.ts';
import { RESOURCES } from '#server/cache/resources.ts';

export const snapshotEntrySchema = z.object({
  key: z.string(),
  resource: z.enum(RESOURCES),
  tags: z.array(z.string()),
  value: z.json(),
  ageMs: z.number().min(0),
  jitter: z.number().min(0.5).max(1.5),
  /** Softly purged and not refreshed since. */
  expired: z.boolean(),
});

/** An entry as a snapshot keeps it: its age instead of a moment, because a monotonic clock ends with its process. */
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;

/** An entry on its way into a snapshot. `now` in monotonic milliseconds. */
export function toSnapshotEntry(key: string, entry: CacheEntry, now: number): SnapshotEntry {
  const { resource, tags, jitter, storedAt, expired } = entry;
  // Only the cache's `store` writes values, and it made sure that they are JSON.
  const value = entry.value as SnapshotEntry['value'];
  return {
    key,
    resource,
    tags,
    value,
    ageMs: Math.max(0, now - storedAt),
    jitter,
    expired: expired !== null,
  };
}

/** An entry out of a snapshot, `elapsedMs` later. Its first reader tells it how it is asked for. */
export function fromSnapshotEntry(
  saved: SnapshotEntry,
  version: number,
  now: number,
  elapsedMs: number,
): CacheEntry {
  const { key, resource, tags, value, ageMs, jitter, expired } = saved;
  return {
    resource,
    renew: null,
    value,
    tags,
    version,
    storedAt: now - ageMs - elapsedMs,
    jitter,
    expired: expired ? now : null,
    ...weigh(key, value),
  };
}
