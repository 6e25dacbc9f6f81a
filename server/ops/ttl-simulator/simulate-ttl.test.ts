import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCESSES, createAccessRing, type RecordedAccesses } from '#server/cache/access-ring.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { byResource, type Policy } from '#shared/models/resources-and-policies.ts';
import { fakeClock } from '../../../tests/fixtures/clocks.ts';
import { readPages } from '../../../tests/fixtures/page-traffic.ts';
import { readState } from '../../../tests/fixtures/read-state.ts';
import { type Happening, syntheticDay } from '../../../tests/fixtures/synthetic-day.ts';
import { inTurn } from '../../../tests/matrix.ts';
import { seeded, zipf } from '../../../tests/seeded.ts';
import { simulateTtl } from './simulate-ttl.ts';

const DAY = 86_400;
const TTLS = [10, 60, 300, 1_800];
const SWR = 300;

/** What the real cache did with a day, in the simulator's terms. */
interface Replayed {
  outcome: Candidate;
  recorded: RecordedAccesses;
}

async function replay(day: readonly Happening[], policy: Policy): Promise<Replayed> {
  const clock = fakeClock();
  const random = seeded(3);
  const accessRing = createAccessRing({ clock, capacity: ACCESSES });
  const policies = byResource((resource) => (resource === 'article' ? policy : DEFAULT_POLICIES[resource]));
  const cache = createContentCache({ policies, maxBytes: 1e9, clock, random, accessRing });
  const versions = new Map<number, number>();
  const loadedAt = new Map<number, number>();
  const sum = { reads: 0, waits: 0, calls: 0, age: 0, oldest: 0, outdated: 0 };

  for (const { at: second, kind, article } of day) {
    clock.monotonicMs = second * 1000;
    const version = versions.get(article) ?? 0;
    if (kind === 'publish') {
      versions.set(article, version + 1);
      continue;
    }
    const stored = loadedAt.get(article) ?? clock.monotonicMs;
    const tracker = new DependencyTracker();
    const got = await cache.read(
      {
        resource: 'article',
        key: `article/${article}`,
        tags: () => [],
        load: async () => {
          sum.calls++;
          loadedAt.set(article, clock.monotonicMs);
          return { version: versions.get(article) ?? 0 };
        },
      },
      tracker,
    );
    const state = readState(tracker);
    const age = state === 'miss' ? 0 : (clock.monotonicMs - stored) / 1000;
    // Its refresh is done before anything else happens: loads take no time here.
    if (state === 'stale') await setImmediate();
    sum.reads++;
    sum.age += age;
    sum.oldest = Math.max(sum.oldest, age);
    if (state === 'miss') sum.waits++;
    if (got.version !== version) sum.outdated++;
  }
  clock.monotonicMs = DAY * 1000 - 1;
  return {
    recorded: accessRing.recorded('article'),
    outcome: {
      ttl: policy.ttl,
      hitRatio: 1 - sum.waits / sum.reads,
      upstreamCallsPerMinute: sum.calls / (DAY / 60),
      meanStalenessSeconds: sum.age / sum.reads,
      maxStalenessSeconds: sum.oldest,
      outdatedRatio: sum.outdated / sum.reads,
    },
  };
}

/** How far a prediction is off, in its own unit. */
function off(predicted: Candidate, outcome: Candidate, what: Exclude<keyof Candidate, 'ttl'>): number {
  return Math.abs((predicted[what] ?? Number.NaN) - (outcome[what] ?? Number.NaN));
}

describe('the simulator, held against the real cache on a virtual clock', () => {
  const policyOf = (ttl: number): Policy => ({ ttl, swr: SWR, sie: DAY });

  const day = syntheticDay({ articles: 400, reads: 24_000, seconds: DAY, random: seeded(1) });
  let recorded: RecordedAccesses;
  beforeAll(async () => {
    ({ recorded } = await replay(day, policyOf(120)));
  });

  it.each(TTLS)('foretells a day at a ttl of %i from a record taken at another', async (ttl) => {
    expect(recorded).toMatchObject({ since: 0, reads: 24_000, sampleRate: 1 });
    const predicted = await simulateTtl(recorded, policyOf(ttl));
    const { outcome } = await replay(day, policyOf(ttl));
    expect(off(predicted, outcome, 'hitRatio')).toBeLessThan(0.005);
    expect(off(predicted, outcome, 'outdatedRatio')).toBeLessThan(0.01);
    expect(off(predicted, outcome, 'meanStalenessSeconds')).toBeLessThan(3);
    expect(off(predicted, outcome, 'upstreamCallsPerMinute')).toBeLessThan(0.2);
    // The jitter of a ttl is not in the prediction.
    expect(off(predicted, outcome, 'maxStalenessSeconds')).toBeLessThanOrEqual(ttl * 0.1 + 1);
  });
});

const HOUR = 3_600;
const policyOf = (ttl: number): Policy => ({ ttl, swr: SWR, sie: DAY });

/** Readers who come back to what is popular. */
const steady = () => syntheticDay({ articles: 2_000, reads: 45_000, seconds: HOUR, random: seeded(5) });

/** Each article is read in one burst of five minutes. */
function bursty(): Happening[] {
  const random = seeded(8);
  const happenings: Happening[] = [];
  for (let article = 0; article < 400; article++) {
    const start = random() * (HOUR - 300);
    for (let reads = 20 + random() * 180; reads > 0; reads--)
      happenings.push({ at: start + random() * 300, kind: 'read', article });
  }
  return happenings.sort((one, other) => one.at - other.at);
}

/** The same readers, and a crawler that reads everything once in twenty minutes. */
function scanned(): Happening[] {
  const crawled = Array.from(
    { length: 3_000 },
    (_, nth): Happening => ({
      at: nth * 1.2,
      kind: 'read',
      article: nth % 1_000,
    }),
  );
  return [...steady(), ...crawled].sort((one, other) => one.at - other.at);
}

/** Holds a share of the keys alone: the traffic of an hour has half as many accesses again. */
const SMALL_RING = 24_000;

const RUN_TTLS = [2, 15, 40];

describe.each<[string, () => Happening[], readonly number[]]>([
  ['steady', steady, inTurn(RUN_TTLS, 0)],
  ['bursty', bursty, inTurn(RUN_TTLS, 1)],
  ['scanning', scanned, inTurn(RUN_TTLS, 2)],
])('the simulator, held against real runs of the same %s readers of pages', (_name, traffic, ttls) => {
  it('foretells hit ratios within 2 points, calls within 5 in a hundred, at TTLs of 2, 15, 40 s, also from a share of the keys', async () => {
    const happenings = traffic();
    const { recorded: all } = await readPages(happenings, policyOf(30), HOUR);
    const { recorded: some } = await readPages(happenings, policyOf(30), HOUR, SMALL_RING);
    const records = [all, some];
    expect(records.map(({ sampleRate }) => sampleRate)).toEqual([1, 1 / 4]);
    for (const ttl of ttls) {
      const run = await readPages(happenings, policyOf(ttl), HOUR);
      for (const recorded of records) {
        const predicted = await simulateTtl(recorded, policyOf(ttl));
        const calls = (predicted.upstreamCallsPerMinute ?? Number.NaN) / run.upstreamCallsPerMinute;
        expect(Math.abs(calls - 1)).toBeLessThan(0.05);
        expect(Math.abs((predicted.hitRatio ?? Number.NaN) - run.hitRatio)).toBeLessThan(0.02);
      }
    }
  });
});

describe('a sample, held against a replay of all keys of the same time', () => {
  const SECONDS = 2 * HOUR;
  const PER_SECOND = 60;

  /** Two hours of readers; with `scan` a third of the reads is a crawler's, which reads one article after the other. */
  function* accesses(scan: boolean) {
    const popular = zipf(10_000, seeded(1));
    const cached = new Set<number>();
    let crawled = 0;
    for (let nth = 0; nth < SECONDS * PER_SECOND; nth++) {
      const article = scan && nth % 3 === 0 ? 10_000 + (crawled++ % 15_000) : popular();
      yield { at: (nth * 1000) / PER_SECOND, key: `article/news/${article}`, cold: !cached.has(article) };
      cached.add(article);
    }
  }

  function record(capacity: number, since: number, scan: boolean): RecordedAccesses {
    const clock = fakeClock({ monotonic: since * 1000 });
    const ring = createAccessRing({ clock, capacity });
    for (const { at, key, cold } of accesses(scan)) {
      if (at < since * 1000) continue;
      clock.monotonicMs = at;
      ring.read('article', key, 1, cold);
    }
    clock.monotonicMs = SECONDS * 1000;
    return ring.recorded('article');
  }

  it.each([
    ['readers', false],
    ['readers and a crawler', true],
  ])('%s: within 2 points of the hit ratio, 5 in a hundred of the calls', async (_name, scan) => {
    const sampled = record(60_000, 0, scan);
    expect(sampled.sampleRate).toBeLessThanOrEqual(1 / 4);
    const exact = record(1_000_000, sampled.since, scan);
    expect(exact).toMatchObject({ sampleRate: 1, reads: sampled.reads });
    for (const ttl of [2, 15, 40, 300]) {
      const [estimate, truth] = await Promise.all([
        simulateTtl(sampled, policyOf(ttl)),
        simulateTtl(exact, policyOf(ttl)),
      ]);
      const calls = (estimate.upstreamCallsPerMinute ?? Number.NaN) / (truth.upstreamCallsPerMinute ?? 0);
      expect(off(estimate, truth, 'hitRatio')).toBeLessThan(0.02);
      expect(Math.abs(calls - 1)).toBeLessThan(0.05);
    }
  });
});
