import { z } from 'zod';
import { createSnapshot, type Snapshot, type SnapshotOptions } from '#server/cache/snapshot/snapshot.ts';
import { type AccessHistory, type SavedAccess, savedAccess } from './access-history.ts';

interface AccessHistorySnapshotOptions
  extends Pick<SnapshotOptions<object, SavedAccess>, 'dir' | 'wallClock' | 'logger'> {
  history: Pick<AccessHistory, 'reads' | 'saved' | 'restore'>;
}

export const ACCESS_HISTORY_FILE = 'access-history.snapshot';
/** Version of what is saved. */
const VERSION = '2';
/** What is older says nothing about the traffic of now. */
const MAX_AGE_MS = 6 * 3_600_000;

/** Keeps the access history on disk, so that the TTL simulator knows the traffic before a restart. */
export function createAccessHistorySnapshot({ history, ...options }: AccessHistorySnapshotOptions): Snapshot {
  return createSnapshot<object, SavedAccess>({
    ...options,
    name: ACCESS_HISTORY_FILE,
    version: VERSION,
    about: z.object({}),
    line: savedAccess,
    content: () => ({ about: {}, lines: history.saved() }),
    restore({ lines, elapsedMs }) {
      if (elapsedMs <= MAX_AGE_MS) history.restore(lines);
    },
    revision: history.reads,
  });
}
