import { LRUCache } from 'lru-cache';

/** Targets that are known, and how long they may be. */
const KNOWN = 1_000;
const LONGEST = 500;

/** What a request of a hydrated client asks for. */
export interface ApiTarget {
  /** Of the answer among finished ones. */
  key: string;
  /** The template of its route. */
  route: string;
}

/** Requests of hydrated clients as they are spelled, path and query: one that was checked once is not checked again. */
export interface ApiTargets {
  get(target: string): ApiTarget | undefined;
  /** `asked`: was checked, and can be answered. */
  add(target: string, asked: ApiTarget): void;
}

export function createApiTargets(): ApiTargets {
  const targets = new LRUCache<string, ApiTarget>({ max: KNOWN });
  return {
    get: (target) => targets.get(target),
    add(target, asked) {
      if (target.length <= LONGEST) targets.set(target, asked);
    },
  };
}
