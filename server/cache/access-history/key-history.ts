/** What one key went through, in seconds of the cache's clock. */
export interface KeyHistory {
  /** Runs of reads, ascending: the second a run starts in, how many seconds it lasts, how many reads it holds. */
  runs: number[];
  /** Seconds in which it was read while no copy stood (first load, eviction, purge). Each starts a run of its own. */
  cold: number[];
  /** When another value is thought to have appeared upstream, ascending. */
  changes: number[];
  /** When the copy that stood before the first read was stored; null where none did. */
  copyFrom: number | null;
}

/** Numbers a run takes. */
export const RUN = 3;

/** Seconds of about the same number of reads become one run, up to this long: a hot key costs little more than a rare one. */
const LONGEST_RUN = 60;
const ALIKE = 2;

/** A key that has not been read. */
export function newHistory(copyFrom: number | null): KeyHistory {
  return { runs: [], cold: [], changes: [], copyFrom };
}

/** Counts reads in a second that is not before the last one. `cold`: no copy stood. */
export function addReads(history: KeyHistory, second: number, times: number, cold: boolean): void {
  const { runs } = history;
  const last = runs.length - RUN;
  if (runs.length > 0 && (runs[last] ?? 0) + (runs[last + 1] ?? 0) > second) {
    runs[last + 2] = (runs[last + 2] ?? 0) + times;
  } else {
    joinLastRuns(history);
    runs.push(second, 1, times);
  }
  if (cold && history.cold.at(-1) !== second) history.cold.push(second);
}

/** Numbers that a history takes. */
export function sizeOf({ runs, cold, changes }: KeyHistory): number {
  return runs.length + cold.length + changes.length;
}

/** All reads of a history. */
export function readsOf({ runs }: KeyHistory): number {
  let reads = 0;
  for (let i = 2; i < runs.length; i += RUN) reads += runs[i] ?? 0;
  return reads;
}

/** Drops what was before a second. */
export function forgetBefore(history: KeyHistory, second: number): void {
  const { runs } = history;
  let kept = 0;
  while (kept < runs.length && (runs[kept] ?? 0) < second) kept += RUN;
  if (kept > 0) {
    // At its last forgotten read a copy stood that was stored, or asked for again, then at the latest.
    history.copyFrom = (runs[kept - RUN] ?? 0) + (runs[kept - RUN + 1] ?? 0);
    history.runs = runs.slice(kept);
  }
  history.cold = history.cold.filter((at) => at >= second);
  history.changes = history.changes.filter((at) => at >= second);
}

/** The last second is over: it becomes part of the run before it where it is like it. */
function joinLastRuns({ runs, cold }: KeyHistory): void {
  const last = runs.length - RUN;
  const before = last - RUN;
  if (before < 0) return;
  const [start = 0, duration = 0, reads = 0, second = 0, seconds = 0, more = 0] = runs.slice(before);
  const rate = reads / duration;
  const alike = more <= rate * ALIKE && more >= rate / ALIKE;
  const adjacent = start + duration === second && seconds === 1 && duration < LONGEST_RUN;
  if (!alike || !adjacent || cold.at(-1) === second) return;
  runs.length = last;
  runs[before + 1] = duration + 1;
  runs[before + 2] = reads + more;
}
