import { type Policy, RESOURCES, type Resource } from './resources.ts';

/** The ages in force. A change takes effect for entries already cached, because ages are reckoned when they are read. */
export interface PolicyTable {
  get(resource: Resource): Policy;
  set(resource: Resource, change: Partial<Policy>): Policy;
  /** Back to the configured ages. */
  reset(resource: Resource): Policy;
  configured(resource: Resource): Policy;
}

/** A table that starts with the configured ages. */
export function createPolicyTable(configured: Readonly<Record<Resource, Policy>>): PolicyTable {
  const current = new Map<Resource, Policy>(RESOURCES.map((resource) => [resource, configured[resource]]));
  const get = (resource: Resource) => current.get(resource) ?? configured[resource];
  return {
    get,
    set(resource, change) {
      current.set(resource, { ...get(resource), ...change });
      return get(resource);
    },
    reset(resource) {
      current.set(resource, configured[resource]);
      return configured[resource];
    },
    configured: (resource) => configured[resource],
  };
}
