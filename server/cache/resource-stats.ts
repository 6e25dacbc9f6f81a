import { byResource, type Policy, type Resource } from '#shared/models/resources-and-policies.ts';
import type { CacheEntry } from './cache-entry.ts';

/** The counts of a resource that was never read. */
const NO_COUNTS = {
  hits: 0,
  misses: 0,
  staleHits: 0,
  /** Reads that joined another read's load. */
  coalesced: 0,
  /** Refreshes that were started; their results follow when they end. */
  refreshes: 0,
  refreshSuccesses: 0,
  refreshErrors: 0,
  /** Loads that failed, refreshes included. */
  errors: 0,
  /** Sum of the ages of what hits and stale hits were served, in seconds. */
  servedAgeSeconds: 0,
};

/** Counts of one resource since the start. */
export type OutcomeCounts = typeof NO_COUNTS;

type SizedEntry = Pick<CacheEntry, 'resource' | 'bytes'>;

/** Creates the statistics by resource, all zero. Sizes are kept as running totals, so reading them walks no entries. */
export function createResourceStats() {
  const counts = byResource<OutcomeCounts>(() => ({ ...NO_COUNTS }));
  const sizes = byResource(() => ({ entries: 0, bytes: 0 }));

  return {
    count(resource: Resource, outcome: keyof OutcomeCounts, times = 1): void {
      counts[resource][outcome] += times;
    },
    added({ resource, bytes }: SizedEntry): void {
      sizes[resource].entries++;
      sizes[resource].bytes += bytes;
    },
    removed({ resource, bytes }: SizedEntry): void {
      sizes[resource].entries--;
      sizes[resource].bytes -= bytes;
    },
    stats: (policyOf: (resource: Resource) => Policy) =>
      byResource((resource) => ({ ...sizes[resource], ...counts[resource], policy: policyOf(resource) })),
  };
}

export type ResourceStatsCounter = ReturnType<typeof createResourceStats>;

/** The counts of one resource, and what is cached of it now. */
export type ResourceStats = ReturnType<ResourceStatsCounter['stats']>[Resource];
