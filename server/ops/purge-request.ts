import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Cdn } from '#server/cdn/cdn.ts';
import { pageTag } from '#server/cdn/cdn-tags.ts';
import type { PageCacheKeys } from '#server/content/page-cache-keys.ts';
import type { PurgeBody, PurgePreview, PurgeResponse } from '#shared/models/ops/ops-schemas.ts';
import { RESOURCE_TABLE } from '#shared/models/resources-and-policies.ts';
import { type ExplainDeps, keyForPrograms } from './explain-page.ts';

/** The page of every path without one. */
const NOT_FOUND = '/404';

export interface PurgeDeps extends Omit<ExplainDeps, 'origin'> {
  pageCacheKeys: PageCacheKeys;
  cdn: Pick<Cdn, 'purge'> | null;
}

/**
 * Finds what an operator names. A named page takes its primary resource with it, also one that is not cached here: the
 * CDN or another instance may have it. A page without one is purged at the CDN by its own tag. Feeds and API calls take
 * the primary resources of what their last response was built from. `keys`: of the content cache. `cached`: keys of the
 * response cache, those of the named pages that are in it.
 */
async function findTargets(
  { tags = [], pages = [] }: z.infer<typeof PurgeBody>,
  { responses, bundle, pageCacheKeys }: PurgeDeps,
) {
  const { canonicalUrl } = await bundle();
  const namedTags = new Set(tags);
  const keys: string[] = [];
  const cached = new Set<string>();

  for (const path of pages) {
    const key = keyForPrograms(path, responses);
    if (key !== null) {
      const known = responses.explain(key);
      if (known.cached) cached.add(key);
      const primary = primaryKeysOf(known.dependencies);
      // An API call that is built from the menus alone is about them.
      keys.push(...(primary.length > 0 ? primary : known.dependencies.map((dependency) => dependency.key)));
    }
    const page = canonicalUrl(path);
    if (page.url !== NOT_FOUND || path === NOT_FOUND) {
      const primary = primaryKeysOf(await pageCacheKeys(page.url));
      keys.push(...primary);
      if (primary.length === 0) namedTags.add(pageTag(page.page));
      if (responses.explain(page.url).cached) cached.add(page.url);
    }
    // Readers' requests come between: a thousand pages take most of a second.
    await setImmediate();
  }

  return { tags: [...namedTags], keys, cached };
}

/** Purges what an operator names, at the CDN too. */
export async function purgeCaches(
  body: z.infer<typeof PurgeBody>,
  deps: PurgeDeps,
): Promise<z.infer<typeof PurgeResponse>> {
  const { cache, responses, cdn } = deps;
  const { all = false, soft = false } = body;
  const { tags, keys, cached } = await findTargets(body, deps);
  const names = { tags, keys, all, soft };
  const queued = cdn?.purge(names);
  const purged = cache.purge(names);
  if (!soft) for (const key of cached) responses.drop(key);
  return { purged, pages: cached.size, ...(queued && { cdn: queued }) };
}

const MAX_PREVIEWED = 10;
/** Responses that are looked at before readers' requests come between. */
const PREVIEW_SLICE = 500;

/** Returns what a purge would do. Purges nothing. */
export async function previewPurge(
  body: z.infer<typeof PurgeBody>,
  deps: PurgeDeps,
): Promise<z.infer<typeof PurgePreview>> {
  const { cache, responses } = deps;
  const { tags, keys, cached } = await findTargets(body, deps);
  const found = cache.purgeable({ tags, keys, all: body.all ?? false });
  const built = new Set(cached);
  let looked = 0;
  for (const { key, dependencies } of responses.dependencies()) {
    if (body.all || dependencies.some((one) => found.has(one.key))) built.add(key);
    if (++looked % PREVIEW_SLICE === 0) await setImmediate();
  }
  return {
    dryRun: true,
    purged: 0,
    entries: found.size,
    pages: built.size,
    firstEntries: [...found].slice(0, MAX_PREVIEWED),
    firstPages: [...built].slice(0, MAX_PREVIEWED),
    unknownTags: (body.tags ?? []).filter((tag) => cache.purgeable({ tags: [tag] }).size === 0),
  };
}

/** Returns the keys of what a page is about; of all that is not shared by all pages, where it is about no one thing. */
function primaryKeysOf(read: readonly Pick<Dependency, 'key' | 'resource'>[]): string[] {
  const withRole = (role: string) => read.filter(({ resource }) => RESOURCE_TABLE[resource].role === role);
  const primary = withRole('primary');
  return (primary.length > 0 ? primary : withRole('section')).map(({ key }) => key);
}
