import { describe, expect, it } from 'vitest';
import { DependencyTracker } from './dependency-tracker.ts';

const NEVER = new Promise<never>(() => undefined);
const ARTICLE = { resource: 'article', key: 'article/news/one', version: 1 } as const;
const ADS = { resource: 'ads', key: 'ads/active', version: 2 } as const;

describe('a dependency tracker', () => {
  it('lists what a response was built from', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 60_000);
    tracker.record(ADS, 'hit', 60_000);
    expect(tracker.dependencies).toEqual([ARTICLE, ADS]);
  });

  it('is fresh until its first dependency becomes stale', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 60_000);
    tracker.record(ADS, 'hit', 15_000);
    expect(tracker.freshForMs(10_000)).toBe(5_000);
  });

  it('is stale since its first dependency is', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'stale', 5_000);
    tracker.record(ADS, 'hit', 60_000);
    expect(tracker.freshForMs(10_000)).toBe(-5_000);
  });

  it('without dependencies is fresh for an hour', () => {
    expect(new DependencyTracker().freshForMs(0)).toBe(3_600_000);
  });

  it('lists stale and loaded dependencies', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'stale', 5_000);
    tracker.record(ADS, 'miss', 60_000);
    tracker.record({ resource: 'latest', key: 'latest/all', version: 3 }, 'hit', 60_000);
    expect(tracker.stale).toEqual(new Set([ARTICLE.key]));
    expect(tracker.loaded).toEqual(new Set([ADS.key]));
  });

  it('says why the reader waited: a miss takes precedence', () => {
    const tracker = new DependencyTracker();
    expect(tracker.forward).toBeNull();
    tracker.recordWait('stale');
    expect(tracker.forward).toBe('stale');
    tracker.recordWait('miss');
    tracker.recordWait('stale');
    expect(tracker.forward).toBe('miss');
  });

  it('stays fresh as long as its dependencies, also for days', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 100_000_000);
    expect(tracker.freshForMs(0)).toBe(100_000_000);
  });

  it('is complete until a section is left out', () => {
    const tracker = new DependencyTracker();
    expect(tracker.complete).toBe(true);
    tracker.markIncomplete(NEVER);
    expect(tracker.complete).toBe(false);
  });
});
