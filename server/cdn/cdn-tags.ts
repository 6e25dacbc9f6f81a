import type { Dependency } from '#server/cache/dependencies/dependency-tracker.ts';
import { CATEGORY_TAG, EVENT_TAG, POST_TAG } from '#server/content/cache-queries.ts';
import { RESOURCES, type Resource } from '#shared/models/resources-and-policies.ts';

/** The tag of every document, by which a deploy purges them. */
const DOCUMENT_TAG = 'document';

/** Returns the tag of every document of a page, by its name in the page table. */
export function pageTag(page: string): string {
  return `${DOCUMENT_TAG}:${page}`;
}

/** Returns the tags of a document besides those of its data. */
export function documentTags(page: string): string[] {
  return [DOCUMENT_TAG, pageTag(page)];
}

/** Bytes of one response's tags at most: CDNs refuse or cut more. */
const MAX_TAG_BYTES = 16_384;

/**
 * Returns the tags of a response as one header value, the most general first: documents and resources, then categories,
 * then events and posts. What is past 16 kB is left out, so that only the most specific tags can be missing.
 */
export function tagHeaderValue(tags: Iterable<string>, separator: string): string {
  const sorted = [...new Set([...tags].map(escapeTag))].sort((a, b) => rank(a) - rank(b));
  let bytes = 0;
  const kept = sorted.filter((tag) => {
    bytes += Buffer.byteLength(tag) + separator.length;
    return bytes <= MAX_TAG_BYTES;
  });
  return kept.join(separator);
}

/**
 * Returns the tags that purge all responses made of a cache entry: the most specific that each of them carries. `tags`: of
 * the entry; none where it is not cached here.
 */
export function tagsOfEntry(key: string, tags: readonly string[]): string[] {
  const resource = RESOURCES.find((name) => key.startsWith(`${name}/`));
  if (resource === undefined) return [];
  const prefix = SPECIFIC[resource];
  if (prefix === undefined) return [resource];
  const known = tags.find((tag) => tag.startsWith(prefix));
  return [escapeTag(known ?? tagOfKey(resource, prefix, key))];
}

/** The key of an article does not hold its id: responses made of it carry the key as a tag as well. */
function tagOfKey(resource: Resource, prefix: string, key: string): string {
  return resource === 'article' ? key : prefix + decodeURIComponent(key.split('/')[1] ?? '');
}

/** Returns the keys among some dependencies that are tags of a response made of them. */
export function keyTags(dependencies: readonly Pick<Dependency, 'key' | 'resource'>[]): string[] {
  return dependencies.flatMap(({ key, resource }) => (resource === 'article' ? [key] : []));
}

/** A tag as it stands in headers and purge calls: an identifier of an upstream's may hold what separates tags there. */
export function escapeTag(tag: string): string {
  return tag.toWellFormed().replace(/[^\x21-\x2b\x2d-\x7e]/gu, (character) => encodeURIComponent(character));
}

/** The first tag of an entry that begins so names what the entry is about; for other resources it is the resource. */
const SPECIFIC: Partial<Record<Resource, string>> = {
  article: POST_TAG,
  event: EVENT_TAG,
  topic: CATEGORY_TAG,
  aside: CATEGORY_TAG,
};

function rank(tag: string): number {
  if (tag.includes('/')) return 2;
  if (!tag.includes(':') || tag.startsWith(DOCUMENT_TAG)) return 0;
  return tag.startsWith(CATEGORY_TAG) ? 1 : 2;
}
