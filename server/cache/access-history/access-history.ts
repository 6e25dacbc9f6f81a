import { z } from 'zod';
import { byResource, RESOURCES, type Resource } from '#shared/models/resources.ts';
import { type RecordedAccess, ResourceHistory, savedKey, savedWindow } from './resource-history.ts';

/** What is saved of a resource: its keys, then its window. */
export const savedAccess = z.union([savedKey, savedWindow]);
export type SavedAccess = z.infer<typeof savedAccess>;

export interface AccessHistoryOptions {
  /** Monotonic milliseconds. */
  clock: () => number;
  /** How far back, in seconds. */
  horizon?: number;
  /** Maximum count of numbers kept for one resource, which bounds the memory. */
  budget?: number;
}

const HORIZON_SECONDS = 6 * 3_600;
/** 8 bytes each, for 14 resources: about 11 MiB when all are full. */
const MAX_NUMBERS = 100_000;

/**
 * Creates the record of recent reads and changes, by resource, in constant memory, on which the TTL simulator replays
 * policies. Where a resource has more keys than fit, it keeps the busiest, and a sample of the others that is chosen by
 * the hash of the key, so that each key in it has its whole history. An estimate from n sampled keys is off by about
 * 1 / sqrt(n); the simulator's tests hold the error of a hit ratio below two percentage points.
 */
export function createAccessHistory({
  clock,
  horizon = HORIZON_SECONDS,
  budget = MAX_NUMBERS,
}: AccessHistoryOptions) {
  const histories = byResource(() => new ResourceHistory(horizon, budget, clock() / 1000));
  const now = () => clock() / 1000;
  let reads = 0;

  return {
    /**
     * Records reads of one key. `storedAt`: when the entry that they found was stored; null where there was none. `at`:
     * when they came. Both in monotonic milliseconds.
     */
    read(resource: Resource, key: string, times: number, storedAt: number | null, at = clock()): void {
      const cachedSince = storedAt === null ? null : storedAt / 1000;
      reads += times;
      histories[resource].read(key, times, cachedSince, Math.floor(at / 1000));
    },

    /** Records another value. It appeared upstream between two loads: half-way is the best estimate. */
    changed(resource: Resource, key: string, from: number, to: number): void {
      histories[resource].changed(key, (from + to) / 2000);
    },

    /** Returns what is recorded of the last `seconds`; by default of all that is kept. */
    recorded: (resource: Resource, seconds?: number): RecordedAccess =>
      histories[resource].recorded(now(), seconds),

    /** Count of reads since the start. */
    reads: () => reads,

    /** Yields what is recorded, for a snapshot. May be iterated in pieces. */
    *saved(): Generator<SavedAccess> {
      for (const resource of RESOURCES) {
        // Keys of searches are what readers typed: none is kept in a file.
        if (resource === 'search') continue;
        yield* histories[resource].keys();
        yield { resource, ...histories[resource].window(now()) };
      }
    },

    /** Restores what an earlier process saved. */
    restore(saved: readonly SavedAccess[]): void {
      let keys: z.infer<typeof savedKey>[] = [];
      for (const one of saved) {
        if ('key' in one) keys.push(one);
        else {
          histories[one.resource].restore(one, keys, now());
          keys = [];
        }
      }
    },
  };
}

export type AccessHistory = ReturnType<typeof createAccessHistory>;
