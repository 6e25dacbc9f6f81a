import type { Purge } from '#server/cache/purge.ts';
import { FIRST, isAfter } from './stream-id.ts';

/** The purges of the shared log that are remembered here, at most `most`: what a shared copy from before them is worth. */
export function createRecentPurges(most: number) {
  const purges = new Map<string, Purge>();
  let oldest = FIRST;

  return {
    add(id: string, purge: Purge): void {
      purges.set(id, purge);
      for (const [first] of purges) {
        if (purges.size <= most) return;
        purges.delete(first);
        oldest = first;
      }
    },
    /** Nothing is known of purges up to this one. */
    remembersSince(id: string): void {
      if (isAfter(id, oldest)) oldest = id;
    },
    /** Whether a purge after `since` is about a copy, or may be. */
    isAbout({ key, tags, since }: { key: string; tags: readonly string[]; since: string }): boolean {
      if (isAfter(oldest, since)) return true;
      const isMeant = ({ all, keys = [], tags: purged = [] }: Purge) =>
        all === true || keys.includes(key) || purged.some((tag) => tags.includes(tag));
      return [...purges].some(([id, purge]) => isAfter(id, since) && isMeant(purge));
    },
  };
}
