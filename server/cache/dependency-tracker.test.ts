import { describe, expect, it } from 'vitest';
import { Reading } from './dependency-tracker.ts';

const ARTICLE = { resource: 'article', key: 'article/news/one', version: 1 } as const;
const ADS = { resource: 'ads', key: 'ads/active', version: 2 } as const;

describe('a reading', () => {
  it('names what a page is made of', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'hit', 60_000);
    reading.record(ADS, 'hit', 60_000);
    expect(reading.dependencies).toEqual([ARTICLE, ADS]);
  });

  it('is as old as the part that goes stale first', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'hit', 60_000);
    reading.record(ADS, 'hit', 15_000);
    expect(reading.freshness(10_000)).toEqual({ state: 'hit', freshForMs: 5_000 });
  });

  it('is stale when one part is, and a miss when one part had to be loaded', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'stale', 5_000);
    reading.record(ADS, 'hit', 60_000);
    expect(reading.freshness(10_000)).toEqual({ state: 'stale', freshForMs: -5_000 });
    reading.record(ADS, 'miss', 60_000);
    expect(reading.freshness(10_000).state).toBe('miss');
  });

  it('of nothing is looked at again within an hour', () => {
    expect(new Reading().freshness(0)).toEqual({ state: 'hit', freshForMs: 3_600_000 });
  });

  it('keeps apart what was stale and what a load brought', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'stale', 5_000);
    reading.record(ADS, 'miss', 60_000);
    reading.record({ resource: 'latest', key: 'latest/all', version: 3 }, 'hit', 60_000);
    expect(reading.stale).toEqual(new Set([ARTICLE.key]));
    expect(reading.loaded).toEqual(new Set([ADS.key]));
  });

  it('says why its reader waited, first of all that there was nothing', () => {
    const reading = new Reading();
    expect(reading.forward).toBeNull();
    reading.waits('stale');
    expect(reading.forward).toBe('stale');
    reading.waits('miss');
    reading.waits('stale');
    expect(reading.forward).toBe('miss');
  });

  it('stays fresh for as long as its data does, also for days', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'hit', 100_000_000);
    expect(reading.freshness(0).freshForMs).toBe(100_000_000);
  });

  it('is fresh no longer than the shortest validity', () => {
    const reading = new Reading();
    reading.record(ARTICLE, 'hit', 60_000);
    expect(reading.validity).toBeNull();
    reading.limitValidity(() => 9_000);
    reading.limitValidity(() => 4_000);
    expect(reading.validity?.()).toBe(4_000);
    expect(reading.freshness(10_000)).toEqual({ state: 'hit', freshForMs: 4_000 });
  });

  it('is complete until a block was left out', () => {
    const reading = new Reading();
    expect(reading.complete).toBe(true);
    reading.missed();
    expect(reading.complete).toBe(false);
  });
});
