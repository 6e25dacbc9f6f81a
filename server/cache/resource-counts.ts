import { type Policy, RESOURCES, type Resource } from './resources.ts';

/** What is counted of each resource since the start. */
export interface Counts {
  hits: number;
  misses: number;
  staleHits: number;
  /** Reads that waited for another read's load. */
  coalesced: number;
  refreshes: number;
  /** Loads that failed; the upstream's word that something does not exist is an answer. */
  errors: number;
}

/** Counts of one resource, what it holds now, and its ages. */
export interface ResourceStats extends Counts {
  entries: number;
  bytes: number;
  policy: Policy;
}

/** Counters per resource, all from zero. */
export function createResourceCounts(): Record<Resource, Counts> {
  const zero = (): Counts => ({ hits: 0, misses: 0, staleHits: 0, coalesced: 0, refreshes: 0, errors: 0 });
  return perResource(zero);
}

/** A record with one value for each resource. */
export function perResource<T>(make: (resource: Resource) => T): Record<Resource, T> {
  // `fromEntries` forgets its keys' type; these are all of the resources.
  return Object.fromEntries(RESOURCES.map((resource) => [resource, make(resource)])) as Record<Resource, T>;
}
