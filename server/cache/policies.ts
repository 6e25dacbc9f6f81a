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
  const changes = new Map<Resource, Partial<Policy>>();
  const change = createEvent<void>();
  const current: Record<Resource, Policy> = { ...configured };

  /** An age that is as configured is no change, so that what an operator takes back leaves none. */
  function put(resource: Resource, wanted: Policy): void {
    const changed = differingAges(wanted, configured[resource]);
    if (Object.keys(changed).length === 0) changes.delete(resource);
    else changes.set(resource, changed);
    current[resource] = wanted;
  }

  return {
    get: (resource: Resource): Policy => current[resource],
    set(resource: Resource, changed: Partial<Policy>): Policy {
      put(resource, { ...current[resource], ...changed });
      change.emit();
      return current[resource];
    },
    reset(resource: Resource): Policy {
      put(resource, configured[resource]);
      change.emit();
      return current[resource];
    },
    /** Makes these changes the only ones. */
    replace(wanted: PolicyChanges): void {
      for (const resource of RESOURCES) put(resource, { ...configured[resource], ...wanted[resource] });
      change.emit();
    },
    configured: (resource: Resource): Policy => configured[resource],
    changes: (): PolicyChanges => Object.fromEntries(changes),
    onChange: change.on,
  };
}

export type Policies = ReturnType<typeof createPolicies>;
