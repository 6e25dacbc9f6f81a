import { z } from 'zod';
import { AGE } from '#shared/models/policy-schemas.ts';
import { RESOURCES, type Resource } from '#shared/models/resources.ts';
import type { Policy } from './default-policies.ts';

/** Ages that somebody set, in seconds; those that are not named stay as configured. */
export const PolicyChange = z
  .strictObject({ ttl: AGE.exactOptional(), swr: AGE.exactOptional(), sie: AGE.exactOptional() })
  .refine((change) => Object.keys(change).length > 0, 'At least one of ttl, swr and sie is needed.');

/** Everything that differs from the configuration, by resource. */
export const PolicyChanges = z.partialRecord(z.enum(RESOURCES), PolicyChange);
export type PolicyChanges = z.infer<typeof PolicyChanges>;

/** The policies in force. A change applies to cached entries at once, because ages are computed on each read. */
export interface Policies {
  get(resource: Resource): Policy;
  set(resource: Resource, change: Partial<Policy>): Policy;
  /** Restores the configured policy. */
  reset(resource: Resource): Policy;
  configured(resource: Resource): Policy;
  changes(): PolicyChanges;
  /** Calls `listener` after each `set` and `reset`. */
  onChange(listener: () => void): void;
}

/** Creates policies that start as configured. */
export function createPolicies(configured: Readonly<Record<Resource, Policy>>): Policies {
  const changes = new Map<Resource, Partial<Policy>>();
  const listeners: (() => void)[] = [];
  const current: Record<Resource, Policy> = { ...configured };

  function apply(resource: Resource, change: Partial<Policy>): Policy {
    current[resource] = { ...configured[resource], ...change };
    for (const listener of listeners) listener();
    return current[resource];
  }

  return {
    get: (resource) => current[resource],
    set(resource, change) {
      const merged = { ...changes.get(resource), ...change };
      changes.set(resource, merged);
      return apply(resource, merged);
    },
    reset(resource) {
      changes.delete(resource);
      return apply(resource, {});
    },
    configured: (resource) => configured[resource],
    changes: () => Object.fromEntries(changes),
    onChange: (listener) => void listeners.push(listener),
  };
}
