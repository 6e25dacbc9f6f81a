import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { ContentCache } from '#server/cache/content-cache.ts';
import type { Cdn } from '#server/cdn/cdn.ts';
import { pageTag } from '#server/cdn/cdn-tags.ts';
import type { PageCacheKeys } from '#server/content/page-cache-keys.ts';
import type { ResponseExtra } from '#server/render/page-responses.ts';
import type { ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { PurgeBody, PurgeResponse } from '#shared/models/ops/ops-schemas.ts';
import type { Resource } from '#shared/models/resources.ts';

export interface PurgeDeps {
  cache: ContentCache;
  responses: ResponseCache<ResponseExtra>;
  /** Returns a page's name and canonical URL by its path, null where there is no such page. */
  pageOf: (path: string) => { page: string; url: string } | null;
  pageCacheKeys: PageCacheKeys;
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
 * Purges what an operator names. A named page takes its primary resource with it, also one that is not cached here: the
 * CDN or another instance may have it. A page without one is purged at the CDN by its own tag.
 */
export async function purgeCaches(
  { tags = [], pages = [], all = false, soft = false }: z.infer<typeof PurgeBody>,
  { cache, responses, pageOf, pageCacheKeys, cdn }: PurgeDeps,
): Promise<Omit<z.infer<typeof PurgeResponse>, 'instances'>> {
  const named = new Map(
    pages.flatMap((path) => {
      const found = pageOf(path);
      return found === null ? [] : [[found.url, found.page]];
    }),
  );
  const keys: string[] = [];
  const withoutPrimary: string[] = [];
  for (const [url, page] of named) {
    const primary = primaryKeysOf(await pageCacheKeys(url));
    keys.push(...primary);
    if (primary.length === 0) withoutPrimary.push(pageTag(page));
    // Readers' requests come between: a thousand pages take most of a second.
    await setImmediate();
  }
  const cached = [...named.keys()].filter((url) => responses.explain(url).cached);
  const queued = cdn?.purge({ tags: [...tags, ...withoutPrimary], keys, all, soft });
  const purged = cache.purge({ tags, keys, all, soft });
  if (!soft) for (const url of cached) responses.drop(url);
  return { purged, pages: cached.length, ...(queued && { cdn: queued }) };
}

/** The home page is about nothing but the lists that other pages show in their sidebars. */
function primaryKeysOf(read: Awaited<ReturnType<PageCacheKeys>>): string[] {
  const primary = read.filter(({ resource }) => PRIMARY_RESOURCES.has(resource));
  const chosen = primary.length > 0 ? primary : read.filter(({ resource }) => resource === 'home');
  return chosen.map(({ key }) => key);
}
