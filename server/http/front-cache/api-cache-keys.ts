import { LRUCache } from 'lru-cache';

const MAX_TARGETS = 1_000;
const MAX_TARGET_LENGTH = 500;

/** Response-cache keys of API calls by request target, path and query, so that the front cache need not parse them. */
export interface ApiCacheKeys {
  get(target: string): string | undefined;
  /** `target`: canonical and checked. */
  add(target: string, key: string): void;
}

export function createApiCacheKeys(): ApiCacheKeys {
  const keys = new LRUCache<string, string>({ max: MAX_TARGETS });
  return {
    get: (target) => keys.get(target),
    add(target, key) {
      if (target.length <= MAX_TARGET_LENGTH) keys.set(target, key);
    },
  };
}
