import { z } from 'zod';
import { AGE } from '#shared/models/policy-schemas.ts';
import {
  byResource,
  type Policy,
  RESOURCE_TABLE,
  RESOURCES,
  type Resource,
} from '#shared/models/resources-and-policies.ts';
import { createEvent } from './cache-events.ts';

/** The policy of each resource unless it is configured. */
export const DEFAULT_POLICIES: Readonly<Record<Resource, Policy>> = byResource(
  (resource) => RESOURCE_TABLE[resource].policy,
);

/** Ages that somebody set, in seconds; those that are not named stay as configured. */
export const PolicyChange = z
  .strictObject({ ttl: AGE.exactOptional(), swr: AGE.exactOptional(), sie: AGE.exactOptional() })
  .refine((change) => Object.keys(change).length > 0, 'At least one of ttl, swr and sie is needed.');

/** Everything that differs from the configuration, by resource. Leaves out those that another version may have. */
export const PolicyChanges = z.object(byResource(() => PolicyChange.exactOptional()));
export type PolicyChanges = z.infer<typeof PolicyChanges>;

const AGES = ['ttl', 'swr', 'sie'] as const;

/** Returns the ages of a policy that are others than those of another one. */
export function differingAges(policy: Policy, other: Policy): Partial<Policy> {
  const names = AGES.filter((name) => policy[name] !== other[name]);
  return Object.fromEntries(names.map((name) => [name, policy[name]]));
}

/** Creates policies that start as configured. A change applies to cached entries at once: ages are computed on each read. */
export function createPolicies(configured: Readonly<Record<Resource, Policy>>) {
  const change = createEvent<void>();
  const current: Record<Resource, Policy> = { ...configured };

  function put(resource: Resource, wanted: Policy): Policy {
    current[resource] = wanted;
    change.emit();
    return wanted;
  }

  return {
    get: (resource: Resource): Policy => current[resource],
    set: (resource: Resource, changed: Partial<Policy>): Policy =>
      put(resource, { ...current[resource], ...changed }),
    reset: (resource: Resource): Policy => put(resource, configured[resource]),
    /** Makes these changes the only ones. */
    replace(wanted: PolicyChanges): void {
      for (const resource of RESOURCES) current[resource] = { ...configured[resource], ...wanted[resource] };
      change.emit();
    },
    configured: (resource: Resource): Policy => configured[resource],
    /** Returns what differs from the configuration: what an operator takes back leaves no change. */
    changes(): PolicyChanges {
      const all = RESOURCES.map((name) => [name, differingAges(current[name], configured[name])] as const);
      return Object.fromEntries(all.filter(([, ages]) => Object.keys(ages).length > 0));
    },
    onChange: change.on,
  };
}

export type Policies = ReturnType<typeof createPolicies>;
