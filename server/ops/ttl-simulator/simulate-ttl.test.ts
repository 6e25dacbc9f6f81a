import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAccessHistory } from '#server/cache/access-history/access-history.ts';
import type { RecordedAccess } from '#server/cache/access-history/resource-history.ts';
import { createContentCache } from '#server/cache/content-cache.ts';
import { DEFAULT_POLICIES, type Policy } from '#server/cache/default-policies.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import type { Candidate } from '#shared/models/ops/ops-api-types.ts';
import { byResource } from '#shared/models/resources.ts';
import { readPages } from '../../../tests/fixtures/page-traffic.ts';
import { readState } from '../../../tests/fixtures/read-state.ts';
import { type Happening, syntheticDay } from '../../../tests/fixtures/synthetic-day.ts';
import { seeded } from '../../../tests/seeded.ts';
import { simulateTtl } from './simulate-ttl.ts';

const DAY = 86_400;
const TTLS = [10, 60, 300, 1_800];
const SWR = 300;

/** What the real cache did with a day, in the simulator's terms. */
interface Replayed {
  outcome: Candidate;
  accessHistory: RecordedAccess;
}

interface ReplayOptions {
  /** Numbers that the record may keep. */
  budget?: number;
  /** From when on the outcome counts, in seconds. */
  from?: number;
}

async function replay(
  day: readonly Happening[],
  policy: Policy,
  { budget = 1e6, from = 0 }: ReplayOptions = {},
): Promise<Replayed> {
  const at = { now: 0 };
  const clock = () => at.now;
  const random = seeded(3);
  const record = createAccessHistory({ clock, horizon: DAY, budget });
  const policies = byResource((resource) => (resource === 'article' ? policy : DEFAULT_POLICIES[resource]));
  const cache = createContentCache({ policies, maxBytes: 1e9, clock, random, accessHistory: record });
  const versions = new Map<number, number>();
  const loadedAt = new Map<number, number>();
  const sum = { reads: 0, waits: 0, fresh: 0, calls: 0, age: 0, oldest: 0, outdated: 0 };

  for (const { at: second, kind, article } of day) {
    at.now = second * 1000;
    const version = versions.get(article) ?? 0;
    if (kind === 'publish') {
      versions.set(article, version + 1);
      continue;
    }
    const stored = loadedAt.get(article) ?? at.now;
    const tracker = new DependencyTracker();
    const got = await cache.read(
      {
        resource: 'article',
        key: `article/${article}`,
        tags: () => [],
        load: async () => {
          if (second >= from) sum.calls++;
          loadedAt.set(article, at.now);
          return { version: versions.get(article) ?? 0 };
        },
      },
      tracker,
    );
    const state = readState(tracker);
    const age = state === 'miss' ? 0 : (at.now - stored) / 1000;
    // Its refresh is done before anything else happens: loads take no time here.
    if (state === 'stale') await setImmediate();
    if (second < from) continue;
    sum.reads++;
    sum.age += age;
    sum.oldest = Math.max(sum.oldest, age);
    if (state === 'miss') sum.waits++;
    if (state === 'hit') sum.fresh++;
    if (got.version !== version) sum.outdated++;
  }
  at.now = DAY * 1000;
  return {
    accessHistory: record.recorded('article'),
    outcome: {
      ttl: policy.ttl,
      hitRatio: 1 - sum.waits / sum.reads,
      freshRatio: sum.fresh / sum.reads,
      upstreamCallsPerMinute: sum.calls / ((DAY - from) / 60),
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

  it.each(TTLS)('foretells a day at a ttl of %i from a record taken at another', async (ttl) => {
    const day = syntheticDay({ articles: 400, reads: 24_000, seconds: DAY, random: seeded(1) });
    const { accessHistory } = await replay(day, policyOf(120));
    expect(accessHistory).toMatchObject({ since: 0, reads: 24_000, sampleRate: 1, busiest: [] });
    const predicted = simulateTtl(accessHistory, policyOf(ttl));
    const { outcome } = await replay(day, policyOf(ttl));
    expect(off(predicted, outcome, 'hitRatio')).toBeLessThan(0.005);
    expect(off(predicted, outcome, 'freshRatio')).toBeLessThan(0.01);
    expect(off(predicted, outcome, 'outdatedRatio')).toBeLessThan(0.01);
    expect(off(predicted, outcome, 'meanStalenessSeconds')).toBeLessThan(3);
    expect(off(predicted, outcome, 'upstreamCallsPerMinute')).toBeLessThan(0.2);
    // The jitter of a ttl is not in the prediction.
    expect(off(predicted, outcome, 'maxStalenessSeconds')).toBeLessThanOrEqual(ttl * 0.1 + 1);
  });

  it.each(TTLS)('foretells the hits at %i within two points where a sample has to do', async (ttl) => {
    const day = syntheticDay({ articles: 8_000, reads: 40_000, seconds: DAY, random: seeded(2) });
    const { accessHistory } = await replay(day, policyOf(120), { budget: 40_000 });
    expect(accessHistory.sampleRate).toBeLessThanOrEqual(1 / 4);
    const predicted = simulateTtl(accessHistory, policyOf(ttl));
    const { outcome } = await replay(day, policyOf(ttl), { from: accessHistory.since });
    expect(off(predicted, outcome, 'hitRatio')).toBeLessThan(0.02);
    expect(off(predicted, outcome, 'outdatedRatio')).toBeLessThan(0.03);
  });
});

describe('the simulator, held against real runs of the same readers of pages', () => {
  const HOUR = 3_600;
  const policyOf = (ttl: number): Policy => ({ ttl, swr: SWR, sie: DAY });
  const accessHistory = () =>
    syntheticDay({ articles: 150, reads: 30_000, seconds: HOUR, random: seeded(5) });

  it.each([
    [2, 0.06],
    [15, 0.02],
    [40, 0.02],
  ])(
    'foretells the calls of a ttl of %i s within %d of them, and who waits within 0.1 points',
    async (ttl, share) => {
      const recorded = await readPages(accessHistory(), policyOf(30), HOUR);
      expect(recorded.accessHistory.reads).toBe(30_000);
      const predicted = simulateTtl(recorded.accessHistory, policyOf(ttl));
      const run = await readPages(accessHistory(), policyOf(ttl), HOUR);
      const calls = (predicted.upstreamCallsPerMinute ?? Number.NaN) / run.upstreamCallsPerMinute;
      expect(Math.abs(calls - 1)).toBeLessThan(share);
      expect(Math.abs((predicted.hitRatio ?? Number.NaN) - run.hitRatio)).toBeLessThan(0.001);
      expect(Math.abs((predicted.freshRatio ?? Number.NaN) - run.freshRatio)).toBeLessThan(
        share * (1 - run.freshRatio),
      );
    },
  );
});
