import type { After } from '#server/outbox/outbox-clock.ts';
import type { OutboxStore } from './outbox-store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const REJECTED_VIEWS_KEPT = 1_000;
/** How long personal data that was delivered may stay in the write-ahead log. */
const ERASE_MS = 1_000;
/** Between two slices of what is deleted: requests come first. */
const SLICE_PAUSE_MS = 20;

export interface MaintenanceOptions {
  /** Null where there is no usable disk, or not yet. */
  store: () => Pick<OutboxStore, 'truncateLog' | 'deleteOld' | 'vacuum'> | null;
  /** Wall-clock milliseconds. */
  now: () => number;
  after: After;
  onError(error: unknown, message: string): void;
}

/** Cleans the outbox's file: a second after a delivery its log; each hour what is old, and the free pages. */
export function createMaintenance({ store, now, after, onError }: MaintenanceOptions) {
  let isStopped = false;
  let cancelErasing: (() => void) | null = null;
  let cancelCleaning: () => void = () => undefined;

  function guarded(message: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      onError(error, message);
    }
  }

  function eraseSoon(): void {
    // SQLite empties the log of a file that it closes.
    if (isStopped) return;
    cancelErasing ??= after(ERASE_MS, () => {
      cancelErasing = null;
      guarded('delivered data could not be erased from the log of the outbox', () => store()?.truncateLog());
    });
  }

  function clean(): void {
    let isMore = false;
    guarded('maintenance of the outbox failed', () => {
      isMore = store()?.deleteOld(now() - DAY_MS, REJECTED_VIEWS_KEPT) ?? false;
      if (!isMore) store()?.vacuum();
    });
    if (!isMore) eraseSoon();
    cancelCleaning = after(isMore ? SLICE_PAUSE_MS : HOUR_MS, clean);
  }

  return {
    /** Cleans now, since a killed process may have left what it had delivered, and then each hour. */
    start: clean,
    /** A submission was delivered: erases it from the log in a moment. */
    eraseSoon,
    stop(): void {
      isStopped = true;
      cancelErasing?.();
      cancelCleaning();
    },
  };
}
