import { z } from 'zod';
import { createSnapshot, type Snapshot, type SnapshotOptions } from '#server/cache/snapshot/snapshot.ts';
import { RESOURCES } from '#shared/models/resources.ts';
import type { AccessHistory, SavedAccess } from './access-history.ts';

interface AccessHistorySnapshotOptions
  extends Pick<SnapshotOptions<object, SavedAccess>, 'dir' | 'wallClock' | 'logger'> {
  history: Pick<AccessHistory, 'reads' | 'saved' | 'restore'>;
}

export const ACCESS_HISTORY_FILE = 'access-history.snapshot';
/** Version of what is saved. */
const VERSION = '2';
/** What is older says nothing about the traffic of now. */
const MAX_AGE_MS = 6 * 3_600_000;

const numbers = z.array(z.number());
const accesses = z.object({
  runs: numbers,
  cold: numbers,
  changes: numbers,
  cachedSince: z.number().nullable(),
});
const savedKey = z.object({ key: z.string(), isBusy: z.boolean(), history: accesses });
const savedWindow = z.object({
  resource: z.enum(RESOURCES),
  since: z.number(),
  now: z.number(),
  threshold: z.number().positive(),
  total: accesses,
});

/** Keeps the access history on disk, so that the TTL simulator knows the traffic before a restart. */
export function createAccessHistorySnapshot({ history, ...options }: AccessHistorySnapshotOptions): Snapshot {
  return createSnapshot<object, SavedAccess>({
    ...options,
    name: ACCESS_HISTORY_FILE,
    version: VERSION,
    about: z.object({}),
    line: z.union([savedKey, savedWindow]),
    content: () => ({ about: {}, lines: history.saved() }),
    restore({ lines, elapsedMs }) {
      if (elapsedMs <= MAX_AGE_MS) history.restore(lines);
    },
    revision: history.reads,
  });
}
