import { LoadError } from '#server/errors.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';

/** Thrown by a load where the upstream says that the resource does not exist. Any other error keeps the cached value. */
export class Absent extends LoadError {
  constructor() {
    super('The upstream says that this does not exist.');
  }
}

/** Returns a value that was stored under the key of a query: only a load of the same query stores one there. */
export function storedValue<T>({ value }: { value: unknown }, _query: CacheQuery<T>): T {
  return value as T;
}

/** A load through the cache, and the key and tags of its value. */
export interface CacheQuery<T> {
  resource: Resource;
  key: string;
  /** Tags for purges, besides the resource's name. */
  tags: (value: T) => string[];
  /** Whether a value has no content although it exists, such as an empty list. Default: none does. */
  isEmpty?: (value: T) => boolean;
  /**
   * Loads from the upstream. `cold`: a reader waits, and no cached value can be served instead. `cached`: the cached value,
   * which it may return where nothing has changed.
   */
  load: (context: { cold: boolean; cached: T | undefined }) => Promise<T>;
}
