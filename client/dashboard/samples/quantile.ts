import { duration } from '#client/dashboard/elements/format.ts';

/** Counts of observations by upper bound, ascending; not cumulative. */
export type Buckets = readonly (readonly [le: number, count: number])[];

/** Below this count a quantile says nothing. */
export const MIN_SAMPLES = 20;

/** What a histogram knows of a quantile. */
export interface Quantile {
  /** `at-most`: it is in the lowest bucket. `above`: past the highest finite bound. */
  kind: 'at-most' | 'about' | 'above';
  seconds: number;
}

/**
 * Returns a quantile: linear within its bucket, as Prometheus's `histogram_quantile`. Null for fewer than `MIN_SAMPLES`
 * observations. `bounds`: all of the histogram, as a bucket without observations may be missing.
 */
export function quantile(q: number, buckets: Buckets, bounds: readonly number[]): Quantile | null {
  const all = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (all < MIN_SAMPLES) return null;
  const rank = q * all;
  let below = 0;
  for (const [le, count] of buckets) {
    if (below + count >= rank) {
      const lower = bounds.findLast((bound) => bound < le) ?? 0;
      if (le === Number.POSITIVE_INFINITY) return { kind: 'above', seconds: lower };
      if (lower === 0) return { kind: 'at-most', seconds: le };
      return { kind: 'about', seconds: lower + ((le - lower) * (rank - below)) / count };
    }
    below += count;
  }
  return null;
}

const SIGNS = { 'at-most': '≤ ', about: '', above: '> ' };

/** Shows a quantile with what is known of it. */
export function quantileText(found: Quantile | null): string {
  return found === null ? '–' : SIGNS[found.kind] + duration(found.seconds);
}

/** Returns the share of observations above a bound; null without any. */
export function shareAbove(bound: number, buckets: Buckets): number | null {
  const all = buckets.reduce((sum, [, count]) => sum + count, 0);
  const above = buckets.reduce((sum, [le, count]) => sum + (le > bound ? count : 0), 0);
  return all === 0 ? null : above / all;
}
