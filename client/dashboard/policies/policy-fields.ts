import type { Ages } from '#shared/models/metrics.ts';

/** The three ages, in the order in which they pass. */
export const AGES = ['ttl', 'swr', 'sie'] as const satisfies readonly (keyof Ages)[];

/** The ages in which two policies differ. */
export function changesOf(one: Ages, other: Ages): (keyof Ages)[] {
  return AGES.filter((name) => one[name] !== other[name]);
}
