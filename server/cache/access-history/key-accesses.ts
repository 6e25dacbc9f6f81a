import { z } from 'zod';

const numbers = z.array(z.number());

/** Recorded reads and changes of one key, in seconds of the cache's clock. */
export const keyAccesses = z.object({
  /** Runs of reads, ascending, three numbers each: the first second, the length in seconds, the count of reads. */
  runs: numbers,
  /** Seconds in which it was read while not cached (first load, eviction, purge). Each starts a run. */
  cold: numbers,
  /** When the value probably changed upstream, ascending. */
  changes: numbers,
  /** When the entry that the first read found was stored; null where it found none. */
  cachedSince: z.number().nullable(),
});
export type KeyAccesses = z.infer<typeof keyAccesses>;

/** Count of numbers in a run. */
export const RUN_FIELDS = 3;

/** Seconds with similar counts join one run of at most this length, so that a hot key needs little more memory than a rare one. */
export const MAX_RUN_SECONDS = 60;
const MAX_RATE_RATIO = 2;

/** Returns the history of a key that has not been read. */
export function newKeyAccesses(cachedSince: number | null): KeyAccesses {
  return { runs: [], cold: [], changes: [], cachedSince };
}

/** Adds reads in a second that is not before the last one. `cold`: the key was not cached. */
export function addReads(history: KeyAccesses, second: number, times: number, cold: boolean): void {
  const { runs } = history;
  const last = runs.length - RUN_FIELDS;
  if (runs.length > 0 && (runs[last] ?? 0) + (runs[last + 1] ?? 0) > second) {
    runs[last + 2] = (runs[last + 2] ?? 0) + times;
  } else {
    joinLastRuns(history);
    runs.push(second, 1, times);
  }
  if (cold && history.cold.at(-1) !== second) history.cold.push(second);
}

/** Returns the count of numbers in a history. */
export function sizeOf({ runs, cold, changes }: KeyAccesses): number {
  return runs.length + cold.length + changes.length;
}

export function readsOf(history: KeyAccesses): number {
  return readsSince(history, Number.NEGATIVE_INFINITY);
}

/** Returns the count of reads in runs that begin at a second or later. */
export function readsSince({ runs }: KeyAccesses, since: number): number {
  let reads = 0;
  for (let i = 0; i < runs.length; i += RUN_FIELDS) if ((runs[i] ?? 0) >= since) reads += runs[i + 2] ?? 0;
  return reads;
}

/** Returns the same history on a clock that is ahead by whole seconds. */
export function shifted({ runs, cold, changes, cachedSince }: KeyAccesses, seconds: number): KeyAccesses {
  return {
    runs: runs.map((value, index) => (index % RUN_FIELDS === 0 ? value + seconds : value)),
    cold: cold.map((at) => at + seconds),
    changes: changes.map((at) => at + seconds),
    cachedSince: cachedSince === null ? null : cachedSince + seconds,
  };
}

export function forgetBefore(history: KeyAccesses, second: number): void {
  const { runs } = history;
  let first = 0;
  while (first < runs.length && (runs[first] ?? 0) < second) first += RUN_FIELDS;
  if (first > 0) {
    // The last forgotten read left an entry that was stored then or earlier.
    history.cachedSince = (runs[first - RUN_FIELDS] ?? 0) + (runs[first - RUN_FIELDS + 1] ?? 0);
    history.runs = runs.slice(first);
  }
  history.cold = history.cold.filter((at) => at >= second);
  history.changes = history.changes.filter((at) => at >= second);
}

/** Joins the last second, which is over, to the run before it if their rates are similar. */
function joinLastRuns({ runs, cold }: KeyAccesses): void {
  const last = runs.length - RUN_FIELDS;
  const before = last - RUN_FIELDS;
  if (before < 0) return;
  const [start = 0, duration = 0, reads = 0, second = 0, seconds = 0, more = 0] = runs.slice(before);
  const rate = reads / duration;
  const isSimilar = more <= rate * MAX_RATE_RATIO && more >= rate / MAX_RATE_RATIO;
  const isAdjacent = start + duration === second && seconds === 1 && duration < MAX_RUN_SECONDS;
  if (!isSimilar || !isAdjacent || cold.at(-1) === second) return;
  runs.length = last;
  runs[before + 1] = duration + 1;
  runs[before + 2] = reads + more;
}
