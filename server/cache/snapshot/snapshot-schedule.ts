/** A snapshot is at most 30 seconds old; the rest is the time for writing it. */
const INTERVAL_MS = 20_000;
/** After a purge, so that a restart does not bring back what was purged. */
const AFTER_PURGE_MS = 1_000;

export interface SnapshotScheduleOptions {
  save: () => void;
  onPurge: (listener: () => void) => void;
}

/** Saves at intervals, and soon after a purge. Returns a function that stops it. */
export function scheduleSnapshots({ save, onPurge }: SnapshotScheduleOptions): () => void {
  const interval = setInterval(save, INTERVAL_MS);
  let afterPurge: NodeJS.Timeout | null = null;
  onPurge(() => {
    afterPurge ??= setTimeout(() => {
      afterPurge = null;
      save();
    }, AFTER_PURGE_MS);
  });
  return () => {
    clearInterval(interval);
    if (afterPurge) clearTimeout(afterPurge);
  };
}
