import type { Purge } from '#server/cache/cache-events.ts';
import { Absent } from '#server/cache/cache-query.ts';
import {
  type ContentCache,
  type ContentCacheOptions,
  createContentCache,
} from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { type SnapshotEntry, snapshotEntrySchema } from '#server/cache/snapshot/snapshot-entry.ts';
import { createResponseCache, type ResponseCache } from '#server/render/response-cache/response-cache.ts';
import type { Clock } from '#server/time.ts';
import { seeded } from '../../seeded.ts';
import { createInvariantChecker } from '../invariant-checker.ts';
import { inVirtualTime, now, pass, settle, VIRTUAL_CLOCK } from '../simulated-clock.ts';
import { createStalenessBounds, POLICIES } from '../staleness-bounds.ts';
import { takeTurns } from '../timed.ts';
import { createUpstream, type Load, type LoadOutcome, type UpstreamResponse } from '../upstream.ts';
import { type CacheInvariant, createCacheInvariants, type Reader, resourceOf } from './cache-invariants.ts';
import { type CacheScenario, type CacheStep, type Key, UNBOUNDED_BYTES } from './cache-scenarios.ts';
import { createPageVisits, type PageVisits } from './page-visits.ts';
import { buildPage, type PageText } from './pages.ts';
import { createPurges, tagsOf } from './purges.ts';

/** The parts under test. A mutant replaces one of them. */
export interface CacheParts {
  content(options: ContentCacheOptions): ContentCache;
  responses(options: { content: ContentCache; maxBytes: number; clock: Clock }): ResponseCache<PageText>;
  build: typeof buildPage;
}

export const REAL_PARTS: CacheParts = {
  content: createContentCache,
  responses: createResponseCache<PageText>,
  build: buildPage,
};

/** The result of a load whose process has ended. */
const NEVER = new Promise<never>(() => undefined);

/** One process. Its memory is lost when it ends, except for its snapshot. */
interface Instance {
  cache: ContentCache;
  responses: ResponseCache<PageText>;
  visits: PageVisits;
  isStopped: boolean;
}

/**
 * Runs one scenario of readers, an upstream and operators in virtual time, and checks after each step what the content
 * cache and the response cache served and hold. Steps are data, so that fast-check can shrink a failing scenario. `only`:
 * checks that invariant alone. Throws the first `Violation`.
 */
export function runCacheScenario(
  scenario: CacheScenario,
  parts = REAL_PARTS,
  only?: CacheInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { check, throwFirst } = createInvariantChecker(only);
    const model = createCacheModel(scenario.maxBytes, parts, check);
    let isSettled = true;
    for (const step of scenario.steps) {
      const isAlone = isSettled && step.turns === null;
      const taking = model.take(step, isAlone);
      if (taking) await taking;
      await takeTurns(step.turns);
      isSettled = step.turns === null;
      if (!isSettled) continue;
      model.check();
      throwFirst();
    }
  });
}

function createCacheModel(
  maxBytes: number,
  parts: CacheParts,
  check: ReturnType<typeof createInvariantChecker<CacheInvariant>>['check'],
) {
  const random = seeded(1);
  const purges = createPurges();
  let stalenessBounds = createStalenessBounds();
  const upstream = createUpstream((key, running) =>
    invariants.loading(key, running, stalenessBounds.isFrozen()),
  );
  const invariants = createCacheInvariants(check, upstream, purges);
  /** `purges`: those since, which stand beside the snapshot. */
  let saved: { entries: SnapshotEntry[]; at: number; purges: Purge[] } = {
    entries: [],
    at: now(),
    purges: [],
  };
  /** How often in a row the upstream has said that a key is absent, while a value was cached; NaN where that is unknown. */
  let absences = new Map<string, number>();
  let instance = start();

  function start(): Instance {
    const cache = parts.content({
      policies: POLICIES,
      maxBytes,
      clock: VIRTUAL_CLOCK,
      random,
    });
    const responses = parts.responses({ content: cache, maxBytes, clock: VIRTUAL_CLOCK });
    const visits = createPageVisits({
      check,
      invariants,
      stalenessBounds,
      nextSequence: upstream.nextSequence,
      cached: () => cached(cache),
      build: (page, tracker) => parts.build(page, (key, of) => read(own, key, of), tracker),
    });
    const own: Instance = { cache, responses, visits, isStopped: false };
    return own;
  }

  /** With a small cache nothing is checked: a fresh page does not notice data that was evicted and loaded again changed. */
  function cached(cache: ContentCache): Map<string, unknown> {
    const entries = maxBytes === UNBOUNDED_BYTES ? [...cache.entries()] : [];
    return new Map(entries.map(({ key, value }) => [key, value]));
  }

  async function read(own: Instance, key: Key, tracker: DependencyTracker): Promise<unknown> {
    const bound = stalenessBounds.begin();
    const reader: Reader = { since: upstream.nextSequence(), at: now(), bound };
    const query = {
      resource: resourceOf(key),
      key,
      tags: () => tagsOf(key),
      load: () => (own.isStopped ? NEVER : upstream.load(key)),
    };
    try {
      const value = await own.cache.read(query, tracker);
      invariants.served(key, value, reader);
      return value;
    } catch (error) {
      if (error instanceof Absent) invariants.servedAbsent(key, reader);
      throw error;
    } finally {
      bound.end();
    }
  }

  /** Null where nothing is cached that could still be served. */
  function versionOf(key: string): number | null {
    const { version, state } = instance.cache.explain(key, resourceOf(key));
    return state === 'expired' ? null : version;
  }

  /** `alone`: no other step comes before its effects have settled. */
  function respond(load: Load, response: UpstreamResponse, alone: boolean): Promise<void> | null {
    const before = versionOf(load.key);
    const outcome = upstream.respond(load, response);
    const isAbsence = outcome === 'absent' && before !== null;
    // After a purge the load may be an outdated one, which does not count.
    const counted = purges.anySince(load.key, load.since) ? Number.NaN : 1;
    absences.set(load.key, isAbsence ? (absences.get(load.key) ?? 0) + counted : 0);
    return alone ? checkAfter(load, outcome, before) : null;
  }

  async function checkAfter(load: Load, outcome: LoadOutcome, before: number | null): Promise<void> {
    await settle();
    if (outcome === 'failure') invariants.failed(load.key, before, versionOf(load.key));
    const times = absences.get(load.key) ?? 0;
    if (outcome === 'absent' && !purges.anySince(load.key, load.since) && !Number.isNaN(times))
      invariants.absent(load.key, times, before, versionOf(load.key));
  }

  /** Entries go through JSON, as in the snapshot's file. */
  function save(): void {
    const lines = [...instance.cache.entries()].map((entry) => JSON.stringify(entry));
    const entries = lines.map((line) => snapshotEntrySchema.parse(JSON.parse(line)));
    saved = { entries, at: now(), purges: [] };
  }

  async function restart(crash: boolean, downMs: number): Promise<void> {
    if (!crash) save();
    instance.isStopped = true;
    await instance.cache.close();
    upstream.forgetLoads();
    await pass(downMs);
    stalenessBounds = createStalenessBounds();
    absences = new Map();
    instance = start();
    instance.cache.restore(saved.entries, now() - saved.at);
    for (const purge of saved.purges) instance.cache.purge(purge);
  }

  /** Returns a promise where the step takes time. */
  function take(step: CacheStep, alone: boolean): Promise<void> | null {
    const loads = upstream.loads();
    if (step.do === 'read') void read(instance, step.key, new DependencyTracker()).catch(() => undefined);
    else if (step.do === 'get page') void instance.visits.get(instance.responses, step.page);
    else if (step.do === 'change') upstream.change(step.key);
    else if (step.do === 'retract') upstream.retract(step.key);
    else if (step.do === 'pass') return pass(step.ms);
    else if (step.do === 'save') save();
    else if (step.do === 'restart') return restart(step.crash, step.downMs);
    else if (step.do === 'response') {
      const load = loads[step.load % loads.length];
      if (load) return respond(load, step.response, alone);
    } else if (step.do === 'purge') {
      purges.add(step.purge, upstream.nextSequence());
      saved.purges.push(step.purge);
      instance.cache.purge(step.purge);
    } else if (step.do === 'set policy') {
      if (step.policy) instance.cache.policies.set(step.resource, step.policy);
      else instance.cache.policies.reset(step.resource);
      stalenessBounds.setPolicy(step.resource, step.policy);
    } else {
      instance.cache.mode.set(step.change);
      stalenessBounds.setMode(step.change);
    }
    return null;
  }

  return { take, check: () => invariants.cached(instance.cache, instance.responses.bytes, maxBytes) };
}
