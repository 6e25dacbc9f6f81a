import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Dependency } from '#server/cache/dependency-tracker.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { ResponseExtra } from '#server/render/pages.ts';
import type { ResponseCache } from '#server/render/response-cache.ts';
import type { PurgeBody, PurgeResponse } from './ops-schemas.ts';

export interface PurgeDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** A page's path to its key. */
  keyOf: (path: string) => string;
}

/** What a page is about. Menus, advertisements and sidebars belong to every page and stay. */
const PRIMARY_RESOURCES: ReadonlySet<Resource> = new Set([
  'tag',
  'topic',
  'article',
  'search',
  'events',
  'event',
]);

/** Purges what an operator names. A page that is named takes its own subject with it: otherwise it would be made anew from the same data. */
export function purgeCaches(
  { tags = [], pages = [], all = false, soft = false }: z.infer<typeof PurgeBody>,
  { cache, responses, keyOf }: PurgeDeps,
): z.infer<typeof PurgeResponse> {
  const named = [...new Set(pages.map(keyOf))].flatMap((key) => {
    const page = responses.explain(key);
    const dependencies = page.cached ? page.dependencies : (page.last?.dependencies ?? []);
    return [{ key, cached: page.cached, subject: subjectOf(dependencies) }];
  });
  const keys = named.flatMap(({ subject }) => subject);
  const purged = cache.purge({ tags, keys, all, soft });
  if (!soft) for (const { key } of named) responses.drop(key);
  return { purged, pages: named.filter(({ cached }) => cached).length };
}

/** The home page has no other subject than the lists that other pages show beside theirs. */
function subjectOf(dependencies: readonly Dependency[]): string[] {
  const own = dependencies.filter(({ resource }) => PRIMARY_RESOURCES.has(resource));
  const chosen = own.length > 0 ? own : dependencies.filter(({ resource }) => resource === 'home');
  return chosen.map(({ key }) => key);
}
