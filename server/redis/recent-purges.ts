import type { Purge } from '#server/cache/purge.ts';
import { MAX_STREAM_LENGTH } from './invalidation-stream.ts';
import { FIRST, isAfter } from './stream-id.ts';

/** A shared entry that a purge may concern. `since`: the last purge that its loader knew of. */
interface PurgeableEntry {
  key: string;
  tags: readonly string[];
  since: string;
}

/** Remembers the purges of the invalidation stream, to tell whether a shared entry is older than a purge of it. */
export function createRecentPurges() {
  const purges = new Map<string, Purge>();
  let forgottenUntil = FIRST;

  return {
    add(id: string, purge: Purge): void {
      purges.set(id, purge);
      for (const [oldest] of purges) {
        if (purges.size <= MAX_STREAM_LENGTH) return;
        purges.delete(oldest);
        forgottenUntil = oldest;
      }
    },
    /** Purges up to this one are unknown. */
    forgetUntil(id: string): void {
      if (isAfter(id, forgottenUntil)) forgottenUntil = id;
    },
    /** True where a later purge concerns the entry, or may: one that is not remembered. */
    concern({ key, tags, since }: PurgeableEntry): boolean {
      if (isAfter(forgottenUntil, since)) return true;
      const includesEntry = ({ all, keys = [], tags: purged = [] }: Purge) =>
        all === true || keys.includes(key) || purged.some((tag) => tags.includes(tag));
      return [...purges].some(([id, purge]) => isAfter(id, since) && includesEntry(purge));
    },
  };
}

export type RecentPurges = ReturnType<typeof createRecentPurges>;
