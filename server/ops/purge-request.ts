import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { Cdn } from '#server/cdn/cdn.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import { dependenciesOf } from './explain-page.ts';
import type { PurgeBody, PurgeResponse } from './ops-schemas.ts';

export interface PurgeDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** Returns a page's cache key by its path. */
  keyOf: (path: string) => string;
  /** The CDN in front of the site, which is purged as well; null where there is none. */
  cdn: Pick<Cdn, 'purge'> | null;
}

/** What a page is about. Menus, advertisements and sidebars are shared by all pages and stay. */
const PRIMARY_RESOURCES: ReadonlySet<Resource> = new Set([
  'tag',
  'topic',
  'article',
  'search',
  'events',
  'event',
]);

/**
 * Purges what an operator names. A named page takes its primary resource with it: otherwise it would be rendered again
 * from the same data.
 */
export function purgeCaches(
  { tags = [], pages = [], all = false, soft = false }: z.infer<typeof PurgeBody>,
  { cache, responses, keyOf, cdn }: PurgeDeps,
): z.infer<typeof PurgeResponse> {
  const named = [...new Set(pages.map(keyOf))].map((key) => {
    const page = responses.explain(key);
    return { key, cached: page.cached, primaryKeys: primaryKeysOf(dependenciesOf(page)) };
  });
  const keys = named.flatMap(({ primaryKeys }) => primaryKeys);
  const queued = cdn?.purge({ tags, keys, all, soft });
  const purged = cache.purge({ tags, keys, all, soft });
  if (!soft) for (const { key } of named) responses.drop(key);
  return { purged, pages: named.filter(({ cached }) => cached).length, ...(queued && { cdn: queued }) };
}

/** The home page is about nothing but the lists that other pages show in their sidebars. */
function primaryKeysOf(dependencies: readonly Dependency[]): string[] {
  const primary = dependencies.filter(({ resource }) => PRIMARY_RESOURCES.has(resource));
  const chosen = primary.length > 0 ? primary : dependencies.filter(({ resource }) => resource === 'home');
  return chosen.map(({ key }) => key);
}
