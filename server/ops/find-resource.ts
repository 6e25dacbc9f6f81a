import { RESOURCES, type Resource } from '#shared/models/resources.ts';
import { SiteError } from '#shared/site-error.ts';

/** Returns the resource of that name. Throws a `SiteError` (not found) that lists the names. */
export function findResource(name: string): Resource {
  const resource = RESOURCES.find((known) => known === name);
  if (resource === undefined)
    throw new SiteError('not-found', `There is no such resource. There are: ${RESOURCES.join(', ')}.`);
  return resource;
}
