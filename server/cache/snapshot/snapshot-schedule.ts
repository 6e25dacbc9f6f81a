/** A snapshot is at most 30 seconds old; the rest is the time for writing it. */
const INTERVAL_MS = 20_000;
/** After a purge, so that a restart does not bring back what was purged. */
const AFTER_PURGE_MS = 1_000;

export interface SnapshotScheduleOptions {
  save: () => void;
  onPurge: (listener: () => void) => void;
}

/**
 * Saves at intervals, and soon after a purge. A purge within an interval of that waits for the next save: a CMS that purges
 * with every change must not have all rewritten each second. Returns a function that stops it.
 */
export function scheduleSnapshots({ save, onPurge }: SnapshotScheduleOptions): () => void {
  const interval = setInterval(save, INTERVAL_MS);
  let afterPurge: NodeJS.Timeout | null = null;

  function saveAfterPurge(): void {
    save();
    afterPurge = setTimeout(() => {
      afterPurge = null;
    }, INTERVAL_MS);
  }

  onPurge(() => {
    afterPurge ??= setTimeout(saveAfterPurge, AFTER_PURGE_MS);
  });
  return () => {
    clearInterval(interval);
    if (afterPurge) clearTimeout(afterPurge);
  };
}
