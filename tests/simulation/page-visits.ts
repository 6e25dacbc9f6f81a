import type { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import type { Resource } from '#server/cache/resources.ts';
import type { Built, ResponseCache, Served } from '#server/render/response-cache.ts';
import type { CacheInvariant, CacheInvariants, Reader } from './cache-invariants.ts';
import type { Key, Page } from './cache-scenarios.ts';
import type { InvariantChecker } from './invariant-checker.ts';
import { DATA, type PageText } from './pages.ts';
import { now } from './simulated-clock.ts';
import type { StalenessBound, StalenessBounds } from './staleness-bounds.ts';

export interface PageVisitsOptions {
  checker: InvariantChecker<CacheInvariant>;
  invariants: CacheInvariants;
  stalenessBounds: StalenessBounds;
  moment: () => number;
  build: (page: Page, tracker: DependencyTracker) => Promise<Built<PageText>>;
  /** What the content cache has. */
  cached: () => Map<string, unknown>;
}

/** A page that misses data is made again after this long (architecture, Laws). */
const INCOMPLETE_MS = 5_000;

interface Build {
  at: number;
  /** The moment, and the time. */
  ended: number;
  endedAt: number;
  allowed: StalenessBound;
}

/** Readers of pages, in one process. What a page is made of must be good enough for each of them. */
export function createPageVisits({
  checker,
  invariants,
  stalenessBounds,
  moment,
  build,
  cached,
}: PageVisitsOptions) {
  const builds = new WeakMap<PageText, Build>();
  const bodies = new Map<string, string>();

  async function built(page: Page, tracker: DependencyTracker): Promise<Built<PageText>> {
    const at = now();
    const allowed = stalenessBounds.begin();
    try {
      const made = await build(page, tracker);
      if (made.kind === 'response') builds.set(made.extra, { at, ended: moment(), endedAt: now(), allowed });
      return made;
    } finally {
      allowed.end();
    }
  }

  /**
   * A reader who waits for a build gets data as old as that build's readings of it. A page that misses data stands for
   * a while without a look at the rest of it.
   */
  function asOld(reader: Reader, { page, values }: PageText, making: Build): Reader {
    const missing = values.length < DATA[page].length;
    if (!missing && making.ended < reader.since) return reader;
    const mostMs = (of: Resource) =>
      Math.max(reader.allowed.mostMs(of), making.allowed.mostMs(of)) + (missing ? INCOMPLETE_MS : 0);
    const late = Math.max(0, reader.at - making.endedAt);
    checker(
      'a page that misses data is soon made again',
      !missing || late < INCOMPLETE_MS,
      () => `${page} was made ${late} ms ago`,
    );
    return { since: reader.since, at: Math.min(reader.at, making.at), allowed: { mostMs } };
  }

  /** `known`: what was cached when the reader came. */
  function lookUpCached({ page, values }: PageText, known: Map<string, unknown>): void {
    for (const { key, value } of values) {
      const isSame = !known.has(key) || JSON.stringify(known.get(key)) === JSON.stringify(value);
      checker('a page that stands is made of the data that is cached', isSame, () => `${page}: ${key}`);
    }
  }

  function look(page: Page, reader: Reader, served: Served<PageText>, known: Map<string, unknown>): void {
    if (served.kind !== 'response') return;
    const body = served.response.variants.identity.body.toString();
    const text: { page: Page; values: { key: Key; value: { version: number } }[] } = JSON.parse(body);
    const made = `${page} ${text.values.map(({ key, value }) => `${key} ${value.version}`).join(', ')}`;
    const first = bodies.get(made) ?? body;
    bodies.set(made, first);
    checker(
      'a page follows from its address and the versions of its data',
      text.page === page && body === first,
      () => `${made}: ${body}`,
    );
    const making = builds.get(served.extra);
    if (making && making.ended < reader.since) lookUpCached(served.extra, known);
    const of = making ? asOld(reader, served.extra, making) : reader;
    for (const { key, value } of text.values) invariants.served(key, value, of);
  }

  return {
    async get(responses: ResponseCache<PageText>, page: Page): Promise<void> {
      const allowed = stalenessBounds.begin();
      const reader: Reader = { since: moment(), at: now(), allowed };
      try {
        const known = cached();
        look(page, reader, await responses.get(page, (tracker) => built(page, tracker)), known);
      } catch {
        // Its subject could not be had, which is said with another status.
      } finally {
        allowed.end();
      }
    },
  };
}

export type PageVisits = ReturnType<typeof createPageVisits>;
