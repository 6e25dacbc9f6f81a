import { describe, expect, it } from 'vitest';
import { readsOf, sizeOf } from './key-accesses.ts';
import { type RecordedAccess, ResourceHistory } from './resource-history.ts';

const HORIZON = 1_000;
const BUDGET = 6_000;

function numbersIn({ busiest, sample }: RecordedAccess): number {
  return [...busiest, ...sample].reduce((sum, one) => sum + sizeOf(one), 0);
}

describe('the history of one resource', () => {
  it('records every key while they fit', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 500; key++) history.read(`article/${key}`, 2, null, key);
    expect(history.recorded(500)).toMatchObject({
      since: 0,
      until: 500,
      reads: 1_000,
      sampleRate: 1,
      busiest: [],
    });
  });

  it('counts reads in the second it starts in', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 100.7);
    history.read('article/1', 1, null, 100);
    expect(history.recorded(100.9)).toMatchObject({ since: 100, reads: 1 });
  });

  it('stays within its budget for any number of keys', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 100_000; key++) history.read(`article/${key}`, 1, null, Math.floor(key / 200));
    const recorded = history.recorded(500);
    expect(numbersIn(recorded)).toBeLessThanOrEqual(BUDGET);
    expect(recorded.sampleRate).toBeLessThan(0.1);
    expect(recorded.sample.length).toBeGreaterThan(100);
  });

  it('samples by key, so that each recorded key has its whole history', () => {
    const history = new ResourceHistory(HORIZON, 4 * BUDGET, 0);
    for (let second = 0; second < 8; second += 2)
      for (let key = 0; key < 5_000; key++) history.read(`article/${key}`, 1, second, second);
    const { sample, sampleRate } = history.recorded(8);
    expect(sampleRate).toBeLessThan(1);
    expect(new Set(sample.map(readsOf))).toEqual(new Set([4]));
  });

  it('keeps recording the busiest keys, and starts to record a key that becomes busy', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 0);
    history.read('home', 5_000, 0, 0);
    for (let key = 0; key < 20_000; key++) history.read(`article/${key}`, 1, null, 1);
    for (let burst = 0; burst < 40; burst++) history.read(`burst/${burst}`, 500, 0, 2);
    const { busiest } = history.recorded(3);
    const reads = busiest.map(readsOf);
    expect(reads).toContain(5_000);
    expect(reads.filter((count) => count === 500).length).toBeGreaterThan(30);
  });

  it('shortens its window for few keys with very many runs', () => {
    const history = new ResourceHistory(100_000, 300, 0);
    for (let second = 0; second < 4_000; second += 2) history.read('topic/news', 1, second, second);
    const recorded = history.recorded(4_000);
    expect(recorded.sampleRate).toBe(1);
    expect(recorded.since).toBeGreaterThan(3_000);
    expect(recorded.reads).toBe(recorded.sample.map(readsOf).reduce((sum, reads) => sum + reads, 0));
  });

  it('enlarges its sample when a burst of keys is over', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 50_000; key++) history.read(`article/${key}`, 1, null, 1);
    const during = history.recorded(2).sampleRate;
    for (let second = 5_000; second < 5_003; second++) history.recorded(second);
    expect(history.recorded(5_003).sampleRate).toBeGreaterThan(during);
  });

  it('forgets what is past its horizon', () => {
    const history = new ResourceHistory(HORIZON, BUDGET, 0);
    history.read('a', 7, null, 10);
    history.read('b', 1, null, 2_000);
    expect(history.recorded(2_001)).toMatchObject({ since: 1_001, reads: 1 });
  });
});
