import { type Policy, RESOURCES, type Resource } from './resources.ts';

/** What was changed while the server runs, by resource: nothing else. */
export type PolicyChanges = Partial<Record<Resource, Partial<Policy>>>;

/** The ages in force. A change takes effect for entries already cached, because ages are reckoned when they are read. */
export interface Policies {
  get(resource: Resource): Policy;
  set(resource: Resource, change: Partial<Policy>): Policy;
  /** Back to the configured ages. */
  reset(resource: Resource): Policy;
  configured(resource: Resource): Policy;
  /** What differs from the configuration because somebody set it. */
  changes(): PolicyChanges;
  /** Called after each change. */
  onChange(listener: () => void): void;
}

/** A table that starts with the configured ages. */
export function createPolicies(configured: Readonly<Record<Resource, Policy>>): Policies {
  const current = new Map<Resource, Policy>(RESOURCES.map((resource) => [resource, configured[resource]]));
  const changes = new Map<Resource, Partial<Policy>>();
  const listeners: (() => void)[] = [];
  const get = (resource: Resource) => current.get(resource) ?? configured[resource];

  function changed(resource: Resource, change: Partial<Policy>): Policy {
    current.set(resource, { ...configured[resource], ...change });
    for (const listener of listeners) listener();
    return get(resource);
  }

  return {
    get,
    set(resource, change) {
      const all = { ...changes.get(resource), ...change };
      changes.set(resource, all);
      return changed(resource, all);
    },
    reset(resource) {
      changes.delete(resource);
      return changed(resource, {});
    },
    configured: (resource) => configured[resource],
    changes: () => Object.fromEntries(changes),
    onChange: (listener) => void listeners.push(listener),
  };
}
