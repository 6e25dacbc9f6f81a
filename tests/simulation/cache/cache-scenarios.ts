import fc from 'fast-check';
import type { Purge } from '#server/cache/cache-events.ts';
import type { ModeChange } from '#server/cache/cache-mode.ts';
import type { Policy, Resource } from '#shared/models/resources-and-policies.ts';
import { type Timed, timed } from '../timed.ts';
import type { UpstreamResponse } from '../upstream.ts';

/** Keys of two resources. Keys with the same letter share a tag. */
export const KEYS = ['topic/a', 'topic/b', 'topic/c', 'article/a', 'article/b'] as const;
export const PAGES = ['/a', '/b', '/all'] as const;
export type Key = (typeof KEYS)[number];
export type Page = (typeof PAGES)[number];

/** Bytes that hold everything: nothing is evicted. */
export const UNBOUNDED_BYTES = 1_000_000;

/** What a reader, the upstream, an operator or the process does. */
export type CacheStep =
  | { do: 'read'; key: Key }
  | { do: 'get page'; page: Page }
  /** `load`: index into the loads in flight, modulo their count. */
  | { do: 'response'; load: number; response: UpstreamResponse }
  | { do: 'change'; key: Key }
  | { do: 'retract'; key: Key }
  | { do: 'pass'; ms: number }
  | { do: 'purge'; purge: Purge }
  /** Null: resets it. */
  | { do: 'set policy'; resource: Resource; policy: Policy | null }
  | { do: 'set mode'; change: ModeChange }
  | { do: 'save' }
  /** `crash`: without a snapshot at the end. */
  | { do: 'restart'; crash: boolean; downMs: number };

export interface CacheScenario {
  maxBytes: number;
  steps: Timed<CacheStep>[];
}

const key = fc.constantFrom(...KEYS);
/** As many as may be lost one by one: more together are a failure of the upstream. */
const retractable = fc.constantFrom(...KEYS.slice(0, 3));
const seconds = (max: number) => fc.integer({ min: 0, max });
const is = <Name extends string>(name: Name) => fc.constant(name);

const duration = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map((count) => count * 1_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 72 }).map((count) => count * 3_600_000) },
);

const purge: fc.Arbitrary<Purge> = fc
  .record({
    what: fc.oneof(
      key.map((one) => ({ keys: [one] })),
      fc.constantFrom('letter:a', 'letter:b', 'topic', 'article').map((tag) => ({ tags: [tag] })),
      fc.constant({ all: true }),
    ),
    soft: fc.boolean(),
  })
  .map(({ what, soft }) => ({ ...what, soft }));

const policy = fc.record({ ttl: seconds(60), swr: seconds(60), sie: seconds(120) });

const change: fc.Arbitrary<ModeChange> = fc.record({
  mode: fc.constantFrom('normal', 'normal', 'freeze', 'bypass'),
  ttlFactor: fc.constantFrom(1, 1, 0.5, 10),
  forSeconds: fc.integer({ min: 1, max: 120 }),
});

const step: fc.Arbitrary<CacheStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: is('read'), key }) },
  { weight: 6, arbitrary: fc.record({ do: is('get page'), page: fc.constantFrom(...PAGES) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: is('response'),
      load: fc.nat(7),
      response: fc.constantFrom<UpstreamResponse>('now', 'now', 'now', 'then', 'failure'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: is('change'), key }) },
  { weight: 1, arbitrary: fc.record({ do: is('retract'), key: retractable }) },
  { weight: 6, arbitrary: fc.record({ do: is('pass'), ms: duration }) },
  { weight: 3, arbitrary: fc.record({ do: is('purge'), purge }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('set policy'),
      resource: fc.constantFrom<Resource>('topic', 'article'),
      policy: fc.option(policy),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is('set mode'), change }) },
  { weight: 1, arbitrary: fc.record({ do: is('save') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('restart'),
      crash: fc.boolean(),
      downMs: fc.integer({ min: 0, max: 90_000 }),
    }),
  },
);

/** A retraction that is noticed and confirmed: steps by chance hardly ever come in this order. */
const retraction = retractable.map((key): Timed<CacheStep>[] => {
  const responses = Array.from(
    { length: 3 },
    (): CacheStep => ({ do: 'response', load: 0, response: 'now' }),
  );
  const steps: CacheStep[] = [
    { do: 'read', key },
    ...responses,
    { do: 'retract', key },
    { do: 'pass', ms: 12_000 },
    { do: 'read', key },
    ...responses,
    { do: 'pass', ms: 1_000 },
    ...responses,
  ];
  return steps.map((one) => ({ ...one, turns: null }));
});

/** Generates scenarios of the caches. */
export const cacheScenarios: fc.Arbitrary<CacheScenario> = fc.record({
  maxBytes: fc.constantFrom(UNBOUNDED_BYTES, 4_000),
  steps: fc
    .array(
      fc.oneof(
        { weight: 60, arbitrary: timed(step).map((one) => [one]) },
        { weight: 1, arbitrary: retraction },
      ),
      { maxLength: 60, size: 'max' },
    )
    .map((steps) => steps.flat()),
});
