/** Kinds of cached data, by the names that configuration, purge tags and metrics use. */
export const RESOURCES = [
  'navigation',
  'home',
  'tag',
  'topic',
  'article',
  'author',
  'aside',
  'latest',
  'search',
  'events',
  'event',
  'ads',
  'categories',
  'subcategories',
] as const;

export type Resource = (typeof RESOURCES)[number];

/** Returns a record of `create(resource)` for each resource. */
export function byResource<T>(create: (resource: Resource) => T): Record<Resource, T> {
  // `Object.fromEntries` is typed with `string` keys.
  return Object.fromEntries(RESOURCES.map((resource) => [resource, create(resource)])) as Record<Resource, T>;
}
