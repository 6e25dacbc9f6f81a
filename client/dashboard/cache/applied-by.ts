import type { InstanceReach } from '#shared/models/ops/ops-api-types.ts';

/** Says how many instances have received a change, with a space before it; empty without Redis. */
export function appliedBy(instances: InstanceReach | undefined): string {
  if (!instances) return '';
  const { applied, known } = instances;
  if (known === null) return ' Redis is down: the other instances apply it when it is back.';
  return ` ${applied} of ${known} instances have applied it.`;
}
