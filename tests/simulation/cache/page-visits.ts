import type { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { uncompress } from '#server/render/response-cache/encoded-bodies.ts';
import type { Built, ResponseCache, Served } from '#server/render/response-cache/response-cache.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import type { InvariantChecker } from '../invariant-checker.ts';
import { now } from '../simulated-clock.ts';
import type { StalenessBound, StalenessBounds } from '../staleness-bounds.ts';
import type { CacheInvariant, CacheInvariants, Reader } from './cache-invariants.ts';
import type { Key, Page } from './cache-scenarios.ts';
import { DATA, type PageText } from './pages.ts';

export interface PageVisitsOptions {
  check: InvariantChecker<CacheInvariant>;
  invariants: CacheInvariants;
  stalenessBounds: StalenessBounds;
  nextSequence: () => number;
  build: (page: Page, tracker: DependencyTracker) => Promise<Built<PageText>>;
  /** The values in the content cache. */
  cached: () => Map<string, unknown>;
}

/** An incomplete page is served as it is for this long at most: one that is built again for nobody is not built a third time. */
const INCOMPLETE_MS = 10_000;

interface Build {
  startedAt: number;
  endSequence: number;
  endedAt: number;
  bound: StalenessBound;
}

/** Creates readers of one process's pages. The data of a page must be within the bounds of each reader. */
export function createPageVisits({
  check,
  invariants,
  stalenessBounds,
  nextSequence,
  build,
  cached,
}: PageVisitsOptions) {
  const builds = new WeakMap<PageText, Build>();
  const bodies = new Map<string, string>();
  /** Builds of each page that run, and when the last one began. */
  const running = new Map<Page, number>();
  const lastBegun = new Map<Page, number>();

  async function built(page: Page, tracker: DependencyTracker): Promise<Built<PageText>> {
    const startedAt = now();
    running.set(page, (running.get(page) ?? 0) + 1);
    lastBegun.set(page, startedAt);
    const bound = stalenessBounds.begin();
    try {
      const made = await build(page, tracker);
      if (made.kind === 'response')
        builds.set(made.extra, { startedAt, endSequence: nextSequence(), endedAt: now(), bound });
      return made;
    } finally {
      running.set(page, (running.get(page) ?? 0) - 1);
      bound.end();
    }
  }

  /**
   * Returns the reader with the bounds of the build that it waited for: its data is as old as the build's reads. An
   * incomplete page is served for a while without checks of its other data.
   */
  function withBuildBounds(reader: Reader, { page, values }: PageText, building: Build): Reader {
    const isIncomplete = values.length < DATA[page].length;
    if (!isIncomplete && building.endSequence < reader.since) return reader;
    const maxAgeMs = (resource: Resource) =>
      Math.max(reader.bound.maxAgeMs(resource), building.bound.maxAgeMs(resource)) +
      (isIncomplete ? INCOMPLETE_MS : 0);
    const sinceBuild = reader.at - Math.max(building.endedAt, lastBegun.get(page) ?? 0);
    check(
      'an incomplete page is soon rebuilt',
      !isIncomplete || running.get(page) !== 0 || sinceBuild < INCOMPLETE_MS,
      () => `${page} was built ${sinceBuild} ms ago`,
    );
    return { since: reader.since, at: Math.min(reader.at, building.startedAt), bound: { maxAgeMs } };
  }

  /** `known`: the cached values when the reader came. */
  function checkAgainstCache({ page, values }: PageText, known: Map<string, unknown>): void {
    for (const { key, value } of values) {
      const isSame = !known.has(key) || JSON.stringify(known.get(key)) === JSON.stringify(value);
      check('a cached page was built from the data that is cached', isSame, () => `${page}: ${key}`);
    }
  }

  function checkServed(
    page: Page,
    reader: Reader,
    served: Served<PageText>,
    known: Map<string, unknown>,
  ): void {
    if (served.kind !== 'response') return;
    const body = Buffer.from(uncompress(served.response)).toString();
    const text: { page: Page; values: { key: Key; value: { version: number } }[] } = JSON.parse(body);
    const version = `${page} ${text.values.map(({ key, value }) => `${key} ${value.version}`).join(', ')}`;
    const first = bodies.get(version) ?? body;
    bodies.set(version, first);
    check(
      'a page is a function of its path and the versions of its data',
      text.page === page && body === first,
      () => `${version}: ${body}`,
    );
    const building = builds.get(served.extra);
    if (building && building.endSequence < reader.since) checkAgainstCache(served.extra, known);
    const bounded = building ? withBuildBounds(reader, served.extra, building) : reader;
    for (const { key, value } of text.values) invariants.served(key, value, bounded);
  }

  return {
    async get(responses: ResponseCache<PageText>, page: Page): Promise<void> {
      const bound = stalenessBounds.begin();
      const reader: Reader = { since: nextSequence(), at: now(), bound };
      try {
        const known = cached();
        checkServed(page, reader, await responses.get(page, (tracker) => built(page, tracker)), known);
      } catch {
        // The primary resource failed: the reader gets an error page.
      } finally {
        bound.end();
      }
    },
  };
}

export type PageVisits = ReturnType<typeof createPageVisits>;
