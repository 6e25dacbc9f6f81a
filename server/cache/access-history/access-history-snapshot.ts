import { z } from 'zod';
import { createSnapshotFile } from '#server/cache/snapshot/snapshot-file.ts';
import type { AccessHistory } from './access-history.ts';

export interface AccessHistorySnapshotOptions {
  history: Pick<AccessHistory, 'reads' | 'lines' | 'restore'>;
  /** The file's folder, created if it is missing. */
  dir: string;
  /** Wall-clock milliseconds. */
  wallClock: () => number;
  logger: { warn(about: object, message: string): void };
  intervalMs?: number;
}

export const ACCESS_HISTORY_FILE = 'access-history.snapshot';
/** Version of the layout: a header, then one key or window a line, each as JSON. */
const FORMAT = 1;
/** A process that is killed loses at most this much. Writing a full history takes a fifth of a second of processor time. */
const SAVE_INTERVAL_MS = 60_000;
/** What is older says nothing about the traffic of now. */
const MAX_AGE_MS = 6 * 3_600_000;

const Header = z.strictObject({ format: z.literal(FORMAT), savedAt: z.number() });

/**
 * Keeps the access history on disk, so that the TTL simulator knows the traffic before a restart. No method rejects:
 * without a usable file or disk the history begins with the process.
 */
export function createAccessHistorySnapshot({
  history,
  dir,
  wallClock,
  logger,
  intervalMs = SAVE_INTERVAL_MS,
}: AccessHistorySnapshotOptions) {
  const file = createSnapshotFile(dir, ACCESS_HISTORY_FILE);
  let saving: Promise<void> | null = null;
  let savedReads = 0;

  function* lines(): Generator<string> {
    yield JSON.stringify({ format: FORMAT, savedAt: wallClock() });
    yield* history.lines();
  }

  async function write(): Promise<void> {
    const reads = history.reads();
    if (reads === savedReads) return;
    try {
      await file.write(lines());
      savedReads = reads;
    } catch (error) {
      logger.warn({ err: error }, 'the access history could not be written');
    }
  }

  function save(): Promise<void> {
    saving ??= write().finally(() => {
      saving = null;
    });
    return saving;
  }

  return {
    /** Replaces the file, if anything was read since. Concurrent calls share one write. */
    save,

    /** Restores the history. A missing, damaged or old file is left alone. */
    async load(): Promise<void> {
      try {
        const saved = await file.read();
        if (saved === null) return;
        const [header = '', ...rest] = saved;
        const { savedAt } = Header.parse(JSON.parse(header));
        if (wallClock() - savedAt <= MAX_AGE_MS) await history.restore(rest);
      } catch (error) {
        logger.warn({ err: error }, 'the saved access history was ignored');
      }
    },

    /** Saves at an interval. Returns a function that stops it. */
    schedule(): () => void {
      const timer = setInterval(() => void save(), intervalMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
