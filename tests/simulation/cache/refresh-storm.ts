import fc from 'fast-check';
import {
  type ContentCache,
  type ContentCacheOptions,
  createContentCache,
} from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { createInvariantChecker } from '../invariant-checker.ts';
import { inVirtualTime, pass, settle, VIRTUAL_CLOCK } from '../simulated-clock.ts';
import { POLICIES } from '../staleness-bounds.ts';
import { createUpstream } from '../upstream.ts';

export type StormInvariant =
  | 'at most 64 refreshes at the same time'
  | 'every stale key that was read is refreshed in the end';

export type StormStep =
  | { do: 'read'; from: number; count: number }
  | { do: 'response'; from: number; count: number; failing: boolean };

export type StormCache = Pick<ContentCache, 'read' | 'close'>;
export type MakeStormCache = (options: ContentCacheOptions) => StormCache;

const KEYS = 200;
const MAX_CONCURRENT = 64;

const some = { from: fc.nat(KEYS - 1), count: fc.integer({ min: 1, max: KEYS }) };

/** Generates scenarios of an upstream that is back while many entries are stale. */
export const stormScenarios: fc.Arbitrary<StormStep[]> = fc.array(
  fc.oneof<fc.Arbitrary<StormStep>[]>(
    fc.record({ do: fc.constant('read'), ...some }),
    fc.record({ do: fc.constant('response'), ...some, failing: fc.boolean() }),
  ),
  { minLength: 1, maxLength: 12 },
);

/** Runs one scenario. `only`: checks that invariant alone. Throws the first `Violation`. */
export function runStormScenario(
  scenario: readonly StormStep[],
  make: MakeStormCache = createContentCache,
  only?: StormInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { check, throwFirst } = createInvariantChecker(only);
    const upstream = createUpstream(() => undefined);
    const cache = make({ policies: POLICIES, maxBytes: 10_000_000, clock: VIRTUAL_CLOCK, random: () => 0.5 });
    const due = new Set<string>();
    const completed = new Set<string>();

    function read(key: string): void {
      if (!completed.has(key)) due.add(key);
      const load = () => upstream.load(key);
      void cache.read({ resource: 'topic', key, tags: () => [], load }, new DependencyTracker());
    }

    async function respond(from: number, count: number, failing: boolean): Promise<void> {
      const loads = upstream
        .loads()
        .slice(from % (upstream.loads().length + 1))
        .slice(0, count);
      for (const load of loads) {
        upstream.respond(load, failing ? 'failure' : 'now');
        due.delete(load.key);
        completed.add(load.key);
      }
      await settle();
    }

    for (const key of keysFrom(0, KEYS)) read(key);
    await respond(0, KEYS, false);
    completed.clear();
    await pass((POLICIES.topic.ttl + 1) * 1_000);
    for (const step of scenario) {
      if (step.do === 'response') await respond(step.from, step.count, step.failing);
      else for (const key of keysFrom(step.from, step.count)) read(key);
      await settle();
      const running = upstream.loads().length;
      check(
        'at most 64 refreshes at the same time',
        running <= MAX_CONCURRENT,
        () => `${running} are in flight`,
      );
      throwFirst();
    }
    while (upstream.loads().length > 0) await respond(0, KEYS, false);
    check('every stale key that was read is refreshed in the end', due.size === 0, () => [...due].join());
    throwFirst();
  });
}

function keysFrom(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `topic/${(from + index) % KEYS}`);
}
