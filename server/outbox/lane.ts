import type { OutboxRow } from './outbox-store.ts';

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 300_000;
/** Ten a second: an upstream that has just come back is not run over. */
const RECOVERY_INTERVAL_MS = 100;

export interface LaneOptions {
  next: () => OutboxRow | null;
  /** Delivers one item; true when the lane may go on to the next one. */
  attempt: (row: OutboxRow) => Promise<boolean>;
  random: () => number;
}

/** The waiting items of one kind, delivered one after the other in order; after a failure the lane waits, longer each time. */
export function createLane({ next, attempt, random }: LaneOptions) {
  let failures = 0;
  let recovering = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let closed = false;

  function wake(afterMs: number): void {
    if (closed || timer !== undefined || running) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = run().finally(() => {
        running = null;
        if (!closed && next() !== null) wake(pause());
      });
    }, afterMs);
    timer.unref();
  }

  async function run(): Promise<void> {
    for (let row = next(); row !== null && !closed; row = next()) {
      if (!(await attempt(row))) {
        failures++;
        recovering = true;
        return;
      }
      failures = 0;
      if (recovering) return;
    }
    recovering = false;
  }

  /** Full jitter on the upper half: instances that failed together do not come back together. */
  function pause(): number {
    if (failures === 0) return RECOVERY_INTERVAL_MS;
    const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    return backoff * (0.5 + random() / 2);
  }

  return {
    /** Called when an item was added, or when one should be tried again. */
    poke: () => wake(failures > 0 ? pause() : 0),
    /** Delivers what waits without waiting, until one fails or the time is up. */
    async drain(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      await running;
      for (let row = next(); row !== null && !closed && failures === 0; row = next()) {
        if (!(await attempt(row))) return;
      }
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
