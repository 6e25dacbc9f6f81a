import { LRUCache } from 'lru-cache';

/** Targets that are known, and how long they may be. */
const KNOWN = 1_000;
const LONGEST = 500;

/** What a request of a hydrated client asks for. */
export interface ApiCacheKey {
  /** Of the answer among finished ones. */
  key: string;
  /** The template of its route. */
  route: string;
}

/** Requests of hydrated clients as they are spelled, path and query: one that was checked once is not checked again. */
export interface ApiCacheKeys {
  get(target: string): ApiCacheKey | undefined;
  /** `asked`: was checked, and can be answered. */
  add(target: string, asked: ApiCacheKey): void;
}

export function createApiCacheKeys(): ApiCacheKeys {
  const targets = new LRUCache<string, ApiCacheKey>({ max: KNOWN });
  return {
    get: (target) => targets.get(target),
    add(target, asked) {
      if (target.length <= LONGEST) targets.set(target, asked);
    },
  };
}
