import type { InstanceReach } from '#shared/models/ops/ops-api-types.ts';

/** Says which instances have applied a change, with a space before it; empty without Redis. */
export function appliedBy(instances: InstanceReach | undefined): string {
  if (!instances) return '';
  const { applied, known, missing } = instances;
  if (known === null) return ' Redis is down: the other instances apply it when it is back.';
  const reached = ` ${applied} of ${known} instances have applied it`;
  return missing.length === 0 ? `${reached}.` : `${reached}; missing: ${missing.join(', ')}. See Instances.`;
}
