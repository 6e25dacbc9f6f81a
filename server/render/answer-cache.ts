import { LRUCache } from 'lru-cache';
import type { CacheOutcome } from '#server/cache/cache-status.ts';
import type { ContentCache } from '#server/cache/content-cache.ts';
import { type Dependency, Reading } from '#server/cache/reading.ts';
import type { FinishedAnswer } from './finished-answer.ts';
import { createPageReaders, type PageReaders } from './page-readers.ts';

/** A page that misses data may be served this long, then it is made again (architecture, Laws). */
const INCOMPLETE_MS = 5_000;

/** While a page is stale and its data is being refreshed, its dependencies are looked at this often. */
const RECHECK_MS = 50;

/** What a build makes: bytes to keep, or a word for this request alone (a redirect). */
export type Built<Extra> =
  /** `renderMs`: what of the build was drawing. */
  | { kind: 'answer'; answer: FinishedAnswer; extra: Extra; renderMs?: number }
  | { kind: 'redirect'; location: string };

/** An answer as it goes out, and what the cache did for it. */
export type Served<Extra> = Built<Extra> & { outcome: CacheOutcome };

/** An answer that is kept: never a word for one request alone. */
export type Standing<Extra> = Served<Extra> & { kind: 'answer' };

interface Entry<Extra> {
  built: Built<Extra> & { kind: 'answer' };
  dependencies: Dependency[];
  complete: boolean;
  /** Until then it is served without looking at its dependencies. */
  checkAt: number;
  /** When the first of its data goes stale. */
  freshUntil: number;
  readers: number;
}

/** What the cache knows of one address. */
export type ExplainedPage =
  | {
      cached: true;
      state: 'fresh' | 'stale';
      /** Negative: stale since. */
      freshSeconds: number;
      /** False: a block of it is missing, so that it is short-lived. */
      complete: boolean;
      bytes: number;
      dependencies: readonly Dependency[];
    }
  | { cached: false; last: UnkeptAnswer | null };

/** The last answer of an address whose answer is not kept. */
export interface UnkeptAnswer {
  /** 302 for a redirect. */
  status: number;
  location: string | null;
  secondsAgo: number;
  complete: boolean;
  /** What could be had of its data. */
  dependencies: readonly Dependency[];
}

/** Addresses whose unkept answer is remembered, for operators alone. */
const UNKEPT = 500;

export interface AnswerCacheOptions {
  content: ContentCache;
  maxBytes: number;
  /** Monotonic milliseconds. */
  clock: () => number;
  /** Counts the readers of answers that stand. */
  readers?: PageReaders;
}

/**
 * Finished answers under their canonical address. An answer lives as long as the data it was made of is the same:
 * while that is fresh, a look-up is all; then its dependencies are compared by version, and only a change makes it
 * anew. One build per key, however many wait.
 */
export function createAnswerCache<Extra>({
  content,
  maxBytes,
  clock,
  readers = createPageReaders(content),
}: AnswerCacheOptions) {
  const entries = new LRUCache<string, Entry<Extra>>({
    maxSize: maxBytes,
    sizeCalculation: ({ built, dependencies }, key) =>
      built.answer.bytes + key.length + dependencies.length * 100 + 500,
    dispose: ({ dependencies }, key) => forget(key, dependencies),
  });
  const dependents = new Map<string, Set<string>>();
  const builds = new Map<string, Promise<Served<Extra>>>();

  const unkept = new LRUCache<string, Omit<UnkeptAnswer, 'secondsAgo'> & { at: number }>({ max: UNKEPT });
  let reviews = 0;

  content.onLook(readers.credit);
  content.onReview(lookAgain);
  content.onPurge(() => {
    // Who comes after it waits for a page of new data, not for one that may have read the old.
    builds.clear();
    // What it means may have been pushed out of memory, so that nobody knows which pages hold it.
    lookAgain();
  });

  content.onChange((keys) => {
    for (const key of keys) {
      for (const page of dependents.get(key) ?? []) markChanged(page);
    }
  });

  function lookAgain(): void {
    reviews++;
    for (const entry of entries.values()) entry.checkAt = 0;
  }

  function markChanged(page: string): void {
    const entry = entries.peek(page);
    if (entry) entry.checkAt = 0;
  }

  function forget(page: string, dependencies: Dependency[]): void {
    for (const { key } of dependencies) {
      const pages = dependents.get(key);
      pages?.delete(page);
      if (pages?.size === 0) dependents.delete(key);
    }
  }

  function keep(page: string, entry: Entry<Extra>): void {
    entries.delete(page);
    entries.set(page, entry);
    if (!entries.has(page)) return;
    for (const { key } of entry.dependencies) {
      const pages = dependents.get(key) ?? new Set();
      dependents.set(key, pages.add(page));
    }
  }

  /** What stands for `key` without any work, or null: the whole of a warm request. */
  function standing(key: string): Standing<Extra> | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const now = clock();
    if (now >= entry.checkAt && !recheck(entry, now)) return null;
    readers.count(entry, now);
    const ttl = Math.ceil((entry.freshUntil - now) / 1000);
    return { ...entry.built, outcome: { state: now < entry.freshUntil ? 'hit' : 'stale', ttl, took: null } };
  }

  function recheck(entry: Entry<Extra>, now: number): boolean {
    if (!entry.complete) return false;
    const { unchanged, freshForMs } = content.check(entry.dependencies);
    if (!unchanged) return false;
    entry.freshUntil = now + freshForMs;
    entry.checkAt = Math.max(entry.freshUntil, now + RECHECK_MS);
    return true;
  }

  async function make(
    key: string,
    build: (reading: Reading) => Promise<Built<Extra>>,
  ): Promise<Served<Extra>> {
    const reading = new Reading();
    const reviewed = reviews;
    const started = clock();
    const built = await build(reading);
    const now = clock();
    const { state, freshForMs } = reading.freshness(now);
    if (built.kind === 'answer' && built.answer.status === 200) {
      const freshUntil = now + (reading.complete ? freshForMs : Math.min(freshForMs, INCOMPLETE_MS));
      const checkAt = reviewed === reviews ? checkAfter(reading, freshUntil, now) : now;
      keep(key, {
        built,
        dependencies: reading.dependencies,
        complete: reading.complete,
        freshUntil,
        checkAt,
        readers: 0,
      });
      unkept.delete(key);
    } else {
      unkept.set(key, {
        status: built.kind === 'answer' ? built.answer.status : 302,
        location: built.kind === 'answer' ? null : built.location,
        at: now,
        complete: reading.complete,
        dependencies: reading.dependencies,
      });
    }
    return {
      ...built,
      outcome: {
        state: state === 'stale' ? 'stale' : 'miss',
        ttl: Math.ceil(freshForMs / 1000),
        took: { all: now - started, render: (built.kind === 'answer' && built.renderMs) || null },
      },
    };
  }

  function checkAfter(reading: Reading, freshUntil: number, now: number): number {
    // Data that changed while the page was being made was announced before the page stood here.
    if (!content.check(reading.dependencies).unchanged) return now;
    return reading.complete ? freshUntil : now + INCOMPLETE_MS;
  }

  return {
    standing,
    /** The standing answer, or one made by `build`. Rejects with what `build` rejects with. */
    async get(key: string, build: (reading: Reading) => Promise<Built<Extra>>): Promise<Served<Extra>> {
      const standingAnswer = standing(key);
      if (standingAnswer) return standingAnswer;
      const running = builds.get(key);
      if (running) return running;
      const made = make(key, build).finally(() => {
        if (builds.get(key) === made) builds.delete(key);
      });
      builds.set(key, made);
      return made;
    },
    /** What stands under an address, or how it was answered last. No reader is counted. */
    explain(key: string): ExplainedPage {
      const now = clock();
      const entry = entries.peek(key);
      if (!entry) {
        const last = unkept.peek(key);
        if (!last) return { cached: false, last: null };
        const { at, ...answer } = last;
        return { cached: false, last: { ...answer, secondsAgo: Math.round((now - at) / 1000) } };
      }
      const { built, dependencies, complete, checkAt, freshUntil } = entry;
      // Past `checkAt` the data may have been purged or changed since the page was looked at.
      const freshForMs = now < checkAt ? freshUntil - now : (content.freshFor(dependencies) ?? 0);
      return {
        cached: true,
        state: freshForMs > 0 ? 'fresh' : 'stale',
        freshSeconds: Math.round(freshForMs / 1000),
        complete,
        bytes: built.answer.bytes,
        dependencies,
      };
    },
    /** Addresses of pages that stand, at most `most`, the one asked for last first. */
    recentPages(most: number): string[] {
      return [...entries.keys()].filter((key) => key.startsWith('/')).slice(0, most);
    },
    /** Drops a finished answer. False where there is none. */
    drop: (key: string): boolean => entries.delete(key),
    /** Bytes held by finished answers. */
    get bytes() {
      return entries.calculatedSize;
    },
    get entries() {
      return entries.size;
    },
  };
}

export type AnswerCache<Extra> = ReturnType<typeof createAnswerCache<Extra>>;
