import { Absent } from '#server/cache/cache-query.ts';
import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import { type SnapshotEntry, snapshotEntrySchema } from '#server/cache/snapshot/snapshot-entry.ts';
import { createResponseCache, type ResponseCache } from '#server/render/response-cache.ts';
import { seeded } from '../seeded.ts';
import { type CacheInvariant, createCacheInvariants, type Reader, resourceOf } from './cache-invariants.ts';
import { type CacheScenario, type CacheStep, type Key, ROOMY } from './cache-scenarios.ts';
import { createInvariantChecker } from './invariant-checker.ts';
import { createPageVisits, type PageVisits } from './page-visits.ts';
import { buildPage, type PageText } from './pages.ts';
import { createPurges, tagsOf } from './purges.ts';
import { inVirtualTime, now, pass, settle } from './simulated-clock.ts';
import { createStalenessBounds, POLICIES } from './staleness-bounds.ts';
import { takeTurns } from './timed.ts';
import { type Answer, createUpstream, type Load, type Said } from './upstream.ts';

/** The parts that live in the world; a mutant is another one in the place of the real. */
export interface CacheParts {
  content(options: Parameters<typeof createContentCache>[0]): ContentCache;
  responses(options: {
    content: ContentCache;
    maxBytes: number;
    clock: () => number;
  }): ResponseCache<PageText>;
  build: typeof buildPage;
}

export const REAL_PARTS: CacheParts = {
  content: createContentCache,
  responses: createResponseCache<PageText>,
  build: buildPage,
};

/** The process that would hear of it has ended. */
const NEVER = new Promise<never>(() => undefined);

/** One process: what it keeps is gone when it ends, but for what it saved. */
interface Life {
  cache: ContentCache;
  responses: ResponseCache<PageText>;
  visits: PageVisits;
  isOver: boolean;
}

/**
 * Lives through one story of readers, an upstream and operators, in virtual time, and looks after each step at what
 * the content cache and the response cache served and keep. Steps are data: fast-check finds the smallest story that
 * violates an invariant. `only`: looks at that one alone. Throws the first `Violation`.
 */
export function liveThrough(
  scenario: CacheScenario,
  parts = REAL_PARTS,
  only?: CacheInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { checker, pronounce } = createInvariantChecker(only);
    const model = createCacheModel(scenario.maxBytes, parts, checker);
    let calm = true;
    for (const step of scenario.steps) {
      const isCalm = calm && step.turns === null;
      const taking = model.take(step, isCalm);
      if (taking) await taking;
      await takeTurns(step.turns);
      calm = step.turns === null;
      if (!calm) continue;
      model.look();
      pronounce();
    }
  });
}

function createCacheModel(
  maxBytes: number,
  parts: CacheParts,
  checker: ReturnType<typeof createInvariantChecker<CacheInvariant>>['checker'],
) {
  const random = seeded(1);
  const purges = createPurges();
  let stalenessBounds = createStalenessBounds();
  const upstream = createUpstream((key, running) =>
    invariants.loading(key, running, stalenessBounds.isFrozen()),
  );
  const invariants = createCacheInvariants(checker, upstream, purges);
  let saved: { entries: SnapshotEntry[]; at: number; moment: number } = { entries: [], at: now(), moment: 0 };
  let life = begin();

  function begin(): Life {
    const cache = parts.content({
      policies: POLICIES,
      maxBytes,
      clock: now,
      random,
    });
    const responses = parts.responses({ content: cache, maxBytes, clock: now });
    const visits = createPageVisits({
      checker,
      invariants,
      stalenessBounds,
      moment: upstream.moment,
      cached: () => cached(cache),
      build: (page, tracker) => parts.build(page, (key, of) => read(own, key, of), tracker),
    });
    const own: Life = { cache, responses, visits, isOver: false };
    return own;
  }

  /** A fresh page does not hear of data that was pushed out and came back as another: nothing is known of it then. */
  function cached(cache: ContentCache): Map<string, unknown> {
    const entries = maxBytes === ROOMY ? [...cache.entries()] : [];
    return new Map(entries.map(({ key, value }) => [key, value]));
  }

  async function read(own: Life, key: Key, tracker: DependencyTracker): Promise<unknown> {
    const allowed = stalenessBounds.begin();
    const reader: Reader = { since: upstream.moment(), at: now(), allowed };
    const request = {
      resource: resourceOf(key),
      key,
      tags: () => tagsOf(key),
      load: () => (own.isOver ? NEVER : upstream.load(key)),
    };
    try {
      const value = await own.cache.read(request, tracker);
      invariants.served(key, value, reader);
      return value;
    } catch (error) {
      if (error instanceof Absent) invariants.denied(key, reader);
      throw error;
    } finally {
      allowed.end();
    }
  }

  function versionOf(key: string): number | null {
    return life.cache.explain(key, resourceOf(key)).version;
  }

  /** `alone`: nothing else happens before what the answer sets off is over. */
  function response(load: Load, how: Answer, alone: boolean): Promise<void> | null {
    const before = versionOf(load.key);
    const said = upstream.response(load, how);
    return alone ? lookAfter(load, said, before) : null;
  }

  async function lookAfter(load: Load, said: Said, before: number | null): Promise<void> {
    await settle();
    if (said === 'failure') invariants.failed(load.key, before, versionOf(load.key));
    if (said === 'no' && !purges.anySince(load.key, load.since))
      invariants.saidNo(load.key, versionOf(load.key));
  }

  /** As JSON, in which a snapshot's file has them. */
  function save(): void {
    const lines = [...life.cache.entries()].map((entry) => JSON.stringify(entry));
    const entries = lines.map((line) => snapshotEntrySchema.parse(JSON.parse(line)));
    saved = { entries, at: now(), moment: upstream.moment() };
  }

  async function restart(crash: boolean, downMs: number): Promise<void> {
    if (!crash) save();
    life.isOver = true;
    await life.cache.close();
    upstream.forgetLoads();
    if (crash) purges.forgetSince(saved.moment);
    await pass(downMs);
    stalenessBounds = createStalenessBounds();
    life = begin();
    life.cache.restore(saved.entries, now() - saved.at);
  }

  /** Answers with a promise where the step takes time. */
  function take(step: CacheStep, alone: boolean): Promise<void> | null {
    const loads = upstream.loads();
    if (step.do === 'read') void read(life, step.key, new DependencyTracker()).catch(() => undefined);
    else if (step.do === 'get page') void life.visits.get(life.responses, step.page);
    else if (step.do === 'change') upstream.change(step.key);
    else if (step.do === 'retract') upstream.retract(step.key);
    else if (step.do === 'pass') return pass(step.ms);
    else if (step.do === 'save') save();
    else if (step.do === 'restart') return restart(step.crash, step.downMs);
    else if (step.do === 'response') {
      const load = loads[step.load % loads.length];
      if (load) return response(load, step.response, alone);
    } else if (step.do === 'purge') {
      purges.add(step.purge, upstream.moment());
      life.cache.purge(step.purge);
    } else if (step.do === 'set policy') {
      if (step.policy) life.cache.policies.set(step.resource, step.policy);
      else life.cache.policies.reset(step.resource);
      stalenessBounds.setPolicy(step.resource, step.policy);
    } else {
      life.cache.mode.set(step.change);
      stalenessBounds.setMode(step.change);
    }
    return null;
  }

  return { take, look: () => invariants.kept(life.cache, life.responses.bytes, maxBytes) };
}
