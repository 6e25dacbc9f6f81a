import type { CachePolicy } from '#shared/models/metrics.ts';

/** The fields of a policy, in the order in which their times pass. */
export const POLICY_FIELDS = ['ttl', 'swr', 'sie'] as const satisfies readonly (keyof CachePolicy)[];

export const FIELD_LABELS = { ttl: 'TTL', swr: 'SWR', sie: 'SIE' } as const satisfies Record<
  keyof CachePolicy,
  string
>;

const MEANINGS = {
  ttl: 'Time to live: served fresh for this long. An arrow marks a value that differs from the configured one.',
  swr: 'stale-while-revalidate: after the TTL, served stale for this long while one background refresh runs.',
  sie: 'stale-if-error: after that, served stale for this long only while the refresh fails. It bridges an outage.',
} as const satisfies Record<keyof CachePolicy, string>;

/** Returns the label of a field and what it means. */
export function policyField(name: keyof CachePolicy): { label: string; about: string } {
  return { label: FIELD_LABELS[name], about: MEANINGS[name] };
}

/** Returns the fields in which two policies differ. */
export function changesOf(one: CachePolicy, other: CachePolicy): (keyof CachePolicy)[] {
  return POLICY_FIELDS.filter((name) => one[name] !== other[name]);
}
