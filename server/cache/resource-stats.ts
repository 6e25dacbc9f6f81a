import { byResource, type Policy, type Resource } from './resources.ts';

/** What reads, loads and refreshes of one resource came to since the start. */
export interface OutcomeCounts {
  hits: number;
  misses: number;
  staleHits: number;
  /** Reads that waited for another read's load. */
  coalesced: number;
  /** Refreshes that were started; their results follow when they end. */
  refreshes: number;
  refreshSuccesses: number;
  refreshErrors: number;
  /** Loads that failed, refreshes included. */
  errors: number;
}

/** Counts of one resource since the start, and what it holds now. */
export interface ResourceStats extends OutcomeCounts {
  entries: number;
  bytes: number;
  policy: Policy;
}

/** Counts by resource, all zero. */
export function createResourceStats() {
  const zero = () => ({
    hits: 0,
    misses: 0,
    staleHits: 0,
    coalesced: 0,
    refreshes: 0,
    refreshSuccesses: 0,
    refreshErrors: 0,
    errors: 0,
  });
  const counts = byResource<OutcomeCounts>(zero);

  return {
    count(resource: Resource, what: keyof OutcomeCounts, times = 1): void {
      counts[resource][what] += times;
    },

    /** The counts beside what the entries hold and the policies in force. */
    stats(
      entries: Iterable<{ resource: Resource; bytes: number }>,
      policyOf: (resource: Resource) => Policy,
    ): Record<Resource, ResourceStats> {
      const sizes = new Map<Resource, { entries: number; bytes: number }>();
      for (const { resource, bytes } of entries) {
        const size = sizes.get(resource) ?? { entries: 0, bytes: 0 };
        sizes.set(resource, { entries: size.entries + 1, bytes: size.bytes + bytes });
      }
      return byResource((resource) => ({
        entries: 0,
        bytes: 0,
        ...sizes.get(resource),
        ...counts[resource],
        policy: policyOf(resource),
      }));
    },
  };
}

export type ResourceStatsCounter = ReturnType<typeof createResourceStats>;
