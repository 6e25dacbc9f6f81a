import type { After } from '#server/outbox/outbox-clock.ts';
import type { OutboxStore } from './outbox-store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const REFUSED_VIEWS_KEPT = 1_000;
/** How long personal data that has arrived may still stand in the file's log. */
const ERASE_MS = 1_000;
/** Between two slices of what is forgotten: readers come first. */
const SLICE_PAUSE_MS = 20;

export interface MaintenanceOptions {
  /** Null where there is no usable disk, or not yet. */
  store: () => Pick<OutboxStore, 'erase' | 'forget' | 'compact'> | null;
  /** Wall-clock milliseconds. */
  now: () => number;
  after: After;
  onError(error: unknown, message: string): void;
}

/** Keeps out of the file what it has no more use for: what has arrived, at once; what is old, each hour. */
export function createMaintenance({ store, now, after, onError }: MaintenanceOptions) {
  let stopped = false;
  let cancelErasing: (() => void) | null = null;
  let cancelTidying: () => void = () => undefined;

  function guarded(message: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      onError(error, message);
    }
  }

  function eraseSoon(): void {
    // A file that closes empties its log by itself.
    if (stopped) return;
    cancelErasing ??= after(ERASE_MS, () => {
      cancelErasing = null;
      guarded('what has arrived could not be erased', () => store()?.erase());
    });
  }

  function tidy(): void {
    let isMore = false;
    guarded('the outbox could not be tidied', () => {
      isMore = store()?.forget(now() - DAY_MS, REFUSED_VIEWS_KEPT) ?? false;
      if (!isMore) store()?.compact();
    });
    if (!isMore) eraseSoon();
    cancelTidying = after(isMore ? SLICE_PAUSE_MS : HOUR_MS, tidy);
  }

  return {
    /** Tidies now, for a process that was killed may have left what it had delivered, and from now on. */
    start: tidy,
    /** A submission has arrived: what stood in it is erased in a moment. */
    eraseSoon,
    stop(): void {
      stopped = true;
      cancelErasing?.();
      cancelTidying();
    },
  };
}
