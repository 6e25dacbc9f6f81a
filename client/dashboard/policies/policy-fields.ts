import type { CachePolicy } from '#shared/models/metrics.ts';

/** The fields of a policy, in the order in which their times pass. */
export const POLICY_FIELDS = ['ttl', 'swr', 'sie'] as const satisfies readonly (keyof CachePolicy)[];

export const FIELD_LABELS = { ttl: 'TTL', swr: 'SWR', sie: 'SIE' } as const;

/** A year: the longest that the listener takes. */
export const MAX_SECONDS = 31_536_000;

/** Makes a record with a value for each field. */
export function mapFields<T>(of: (field: keyof CachePolicy) => T): Record<keyof CachePolicy, T> {
  return { ttl: of('ttl'), swr: of('swr'), sie: of('sie') };
}

/** Returns the fields in which two policies differ. */
export function changesOf(one: CachePolicy, other: CachePolicy): (keyof CachePolicy)[] {
  return POLICY_FIELDS.filter((name) => one[name] !== other[name]);
}

/** Returns the address of the view in which a policy is filled in, to be previewed and set. */
export function policyPath(resource: string, policy: CachePolicy): string {
  return `/policies/${resource}/${POLICY_FIELDS.map((field) => policy[field]).join('/')}`;
}
