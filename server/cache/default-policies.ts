import { byResource, type Policy, RESOURCE_TABLE } from '#shared/models/resources.ts';

export type { Policy } from '#shared/models/resources.ts';

/** The policy of each resource unless it is configured. */
export const DEFAULT_POLICIES: Readonly<Record<keyof typeof RESOURCE_TABLE, Policy>> = byResource(
  (resource) => RESOURCE_TABLE[resource].policy,
);
