import { byResource, type Resource } from '#server/cache/resources.ts';
import { type RecordedAccess, ResourceHistory } from './resource-history.ts';

export interface AccessHistoryOptions {
  /** Monotonic milliseconds. */
  clock: () => number;
  /** How far back, in seconds. */
  horizon?: number;
  /** Numbers kept of one resource, at most: what bounds the memory. */
  budget?: number;
}

const HORIZON_SECONDS = 6 * 3_600;
/** At 8 bytes a number and 14 resources, some 11 MiB when all of them are full. */
const BUDGET = 100_000;

/**
 * What was read and what changed lately, by resource, in constant memory: the past that ttls are tried out on. Where
 * a resource has more keys than fit, the busiest are watched, and a sample of the others, chosen by the hash of their
 * key so that each has its whole history. What is reckoned from a sample of n keys is off by about 1 / sqrt(n) of the
 * sample's part; the tests of the simulator hold the error of a hit ratio below two percentage points.
 */
export function createAccessHistory({
  clock,
  horizon = HORIZON_SECONDS,
  budget = BUDGET,
}: AccessHistoryOptions) {
  const tracks = byResource(() => new ResourceHistory(horizon, budget, clock() / 1000));

  return {
    /**
     * Counts readers of one key. `storedAt`: since when the copy stood that they found, in monotonic milliseconds;
     * null where none did. `at`: when they read, where that is not now.
     */
    read(resource: Resource, key: string, times: number, storedAt: number | null, at = clock()): void {
      const copyFrom = storedAt === null ? null : storedAt / 1000;
      tracks[resource].read(key, times, copyFrom, Math.floor(at / 1000));
    },

    /** Another value came. It appeared upstream somewhere between two loads, so most likely half-way. */
    changed(resource: Resource, key: string, from: number, to: number): void {
      tracks[resource].changed(key, (from + to) / 2000);
    },

    accessHistory: (resource: Resource): RecordedAccess => tracks[resource].accessHistory(clock() / 1000),
  };
}

export type AccessHistory = ReturnType<typeof createAccessHistory>;
