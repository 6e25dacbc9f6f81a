import fc from 'fast-check';
import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependency-tracker.ts';
import { createInvariantChecker } from './invariant-checker.ts';
import { inVirtualTime, now, pass, settle } from './simulated-clock.ts';
import { POLICIES } from './staleness-bounds.ts';
import { createUpstream } from './upstream.ts';

export type StormInvariant =
  | 'never more than 64 refreshes at once'
  | 'every stale key that was asked for is refreshed in the end';

export type StormStep =
  | { do: 'read'; from: number; count: number }
  | { do: 'response'; from: number; count: number; failing: boolean };

export type StormCache = Pick<ContentCache, 'read' | 'close'>;
export type MakeStormCache = (options: Parameters<typeof createContentCache>[0]) => StormCache;

const KEYS = 200;
const AT_ONCE = 64;

const some = { from: fc.nat(KEYS - 1), count: fc.integer({ min: 1, max: KEYS }) };

/** Stories of an upstream that is back while many keys are stale. */
export const stormScenarios: fc.Arbitrary<StormStep[]> = fc.array(
  fc.oneof<fc.Arbitrary<StormStep>[]>(
    fc.record({ do: fc.constant('read'), ...some }),
    fc.record({ do: fc.constant('response'), ...some, failing: fc.boolean() }),
  ),
  { minLength: 1, maxLength: 12 },
);

/** Lives through one storm. `only`: looks at that invariant alone. Throws the first `Violation`. */
export function liveThroughStorm(
  scenario: readonly StormStep[],
  make: MakeStormCache = createContentCache,
  only?: StormInvariant,
): Promise<void> {
  return inVirtualTime(async () => {
    const { checker, pronounce } = createInvariantChecker(only);
    const upstream = createUpstream(() => undefined);
    const cache = make({ policies: POLICIES, maxBytes: 10_000_000, clock: now, random: () => 0.5 });
    const due = new Set<string>();
    const completed = new Set<string>();

    function read(key: string): void {
      if (!completed.has(key)) due.add(key);
      const load = () => upstream.load(key);
      void cache.read({ resource: 'topic', key, tags: () => [], load }, new DependencyTracker());
    }

    async function response(from: number, count: number, failing: boolean): Promise<void> {
      const loads = upstream
        .loads()
        .slice(from % (upstream.loads().length + 1))
        .slice(0, count);
      for (const load of loads) {
        upstream.response(load, failing ? 'failure' : 'now');
        due.delete(load.key);
        completed.add(load.key);
      }
      await settle();
    }

    for (const key of keysFrom(0, KEYS)) read(key);
    await response(0, KEYS, false);
    completed.clear();
    await pass((POLICIES.topic.ttl + 1) * 1_000);
    for (const step of scenario) {
      if (step.do === 'response') await response(step.from, step.count, step.failing);
      else for (const key of keysFrom(step.from, step.count)) read(key);
      await settle();
      const running = upstream.loads().length;
      checker('never more than 64 refreshes at once', running <= AT_ONCE, () => `${running} are under way`);
      pronounce();
    }
    while (upstream.loads().length > 0) await response(0, KEYS, false);
    checker('every stale key that was asked for is refreshed in the end', due.size === 0, () =>
      [...due].join(),
    );
    pronounce();
  });
}

function keysFrom(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `topic/${(from + index) % KEYS}`);
}
