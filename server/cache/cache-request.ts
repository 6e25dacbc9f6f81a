import type { Resource } from './resources.ts';

/** One answer that can be read through the cache. */
export interface CacheRequest<T> {
  resource: Resource;
  key: string;
  /** What it can be purged by, besides its resource's name. */
  tags: (value: T) => string[];
  /**
   * Asks the upstream. `cold`: a reader waits for it and no copy can stand in. `signal`: the cache is closing.
   * A rejection with `Absent` drops the copy; any other leaves it.
   */
  load: (context: { cold: boolean; signal: AbortSignal }) => Promise<T>;
}

/** What a purge takes. `soft`: the old copy is served once more, while it is refreshed. */
export interface Purge {
  tags?: string[];
  all?: boolean;
  soft?: boolean;
}

/** True for the tags that a purge takes. */
export type PurgeMatch = (tags: readonly string[]) => boolean;

/** What a purge takes, as a question to ask of each entry's tags. */
export function purgeMatch({ tags = [], all = false }: Purge): PurgeMatch {
  const wanted = new Set(tags);
  return (own) => all || own.some((tag) => wanted.has(tag));
}
