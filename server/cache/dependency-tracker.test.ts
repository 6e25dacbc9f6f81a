import { describe, expect, it } from 'vitest';
import { DependencyTracker } from './dependency-tracker.ts';

const ARTICLE = { resource: 'article', key: 'article/news/one', version: 1 } as const;
const ADS = { resource: 'ads', key: 'ads/active', version: 2 } as const;

describe('a reading', () => {
  it('names what a page is made of', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 60_000);
    tracker.record(ADS, 'hit', 60_000);
    expect(tracker.dependencies).toEqual([ARTICLE, ADS]);
  });

  it('is as old as the part that goes stale first', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 60_000);
    tracker.record(ADS, 'hit', 15_000);
    expect(tracker.freshness(10_000)).toEqual({ state: 'hit', freshForMs: 5_000 });
  });

  it('is stale when one part is, and a miss when one part had to be loaded', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'stale', 5_000);
    tracker.record(ADS, 'hit', 60_000);
    expect(tracker.freshness(10_000)).toEqual({ state: 'stale', freshForMs: -5_000 });
    tracker.record(ADS, 'miss', 60_000);
    expect(tracker.freshness(10_000).state).toBe('miss');
  });

  it('of nothing is looked at again within an hour', () => {
    expect(new DependencyTracker().freshness(0)).toEqual({ state: 'hit', freshForMs: 3_600_000 });
  });

  it('keeps apart what was stale and what a load brought', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'stale', 5_000);
    tracker.record(ADS, 'miss', 60_000);
    tracker.record({ resource: 'latest', key: 'latest/all', version: 3 }, 'hit', 60_000);
    expect(tracker.stale).toEqual(new Set([ARTICLE.key]));
    expect(tracker.loaded).toEqual(new Set([ADS.key]));
  });

  it('says why its reader waited, first of all that there was nothing', () => {
    const tracker = new DependencyTracker();
    expect(tracker.forward).toBeNull();
    tracker.waits('stale');
    expect(tracker.forward).toBe('stale');
    tracker.waits('miss');
    tracker.waits('stale');
    expect(tracker.forward).toBe('miss');
  });

  it('stays fresh for as long as its data does, also for days', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 100_000_000);
    expect(tracker.freshness(0).freshForMs).toBe(100_000_000);
  });

  it('is fresh no longer than the shortest validity', () => {
    const tracker = new DependencyTracker();
    tracker.record(ARTICLE, 'hit', 60_000);
    expect(tracker.validity).toBeNull();
    tracker.limitValidity(() => 9_000);
    tracker.limitValidity(() => 4_000);
    expect(tracker.validity?.()).toBe(4_000);
    expect(tracker.freshness(10_000)).toEqual({ state: 'hit', freshForMs: 4_000 });
  });

  it('is complete until a block was left out', () => {
    const tracker = new DependencyTracker();
    expect(tracker.complete).toBe(true);
    tracker.missed();
    expect(tracker.complete).toBe(false);
  });
});
