/** A snapshot is at most 30 seconds old; the rest is the time for writing it. */
const CONTENT_INTERVAL_MS = 20_000;
/** A process that is killed loses at most this much. Writing a full history takes a fifth of a second of processor time. */
const HISTORY_INTERVAL_MS = 60_000;
/** After a purge, so that a restart does not bring back what was purged. */
const AFTER_PURGE_MS = 1_000;

export interface SnapshotScheduleOptions {
  saveContent: () => void;
  saveHistory: () => void;
  onPurge: (listener: () => void) => void;
}

/** Saves at intervals, and the content soon after a purge. Returns a function that stops it. */
export function scheduleSnapshots({
  saveContent,
  saveHistory,
  onPurge,
}: SnapshotScheduleOptions): () => void {
  const intervals = [
    setInterval(saveContent, CONTENT_INTERVAL_MS),
    setInterval(saveHistory, HISTORY_INTERVAL_MS),
  ];
  let afterPurge: NodeJS.Timeout | null = null;
  onPurge(() => {
    afterPurge ??= setTimeout(() => {
      afterPurge = null;
      saveContent();
    }, AFTER_PURGE_MS);
  });
  return () => {
    for (const interval of intervals) clearInterval(interval);
    if (afterPurge) clearTimeout(afterPurge);
  };
}
