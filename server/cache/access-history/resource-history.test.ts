import { describe, expect, it } from 'vitest';
import { readsOf, sizeOf } from './key-history.ts';
import { type RecordedAccess, ResourceHistory } from './resource-history.ts';

const HORIZON = 1_000;
const BUDGET = 6_000;

function kept({ busiest, sample }: RecordedAccess): number {
  return [...busiest, ...sample].reduce((sum, history) => sum + sizeOf(history), 0);
}

describe('the record of one resource', () => {
  it('watches every key while they fit', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 500; key++) track.read(`article/${key}`, 2, null, key);
    expect(track.accessHistory(500)).toMatchObject({
      since: 0,
      until: 500,
      reads: 1_000,
      sampleRate: 1,
      busiest: [],
    });
  });

  it('counts what is read in the very second it begins in', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 100.7);
    track.read('article/1', 1, null, 100);
    expect(track.accessHistory(100.9)).toMatchObject({ since: 100, reads: 1 });
  });

  it('stays within its budget, whatever is asked for', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 100_000; key++) track.read(`article/${key}`, 1, null, Math.floor(key / 200));
    const accessHistory = track.accessHistory(500);
    expect(kept(accessHistory)).toBeLessThanOrEqual(BUDGET);
    expect(accessHistory.sampleRate).toBeLessThan(0.1);
    expect(accessHistory.sample.length).toBeGreaterThan(100);
  });

  it('chooses its sample by the key, so that each watched key has its whole history', () => {
    const track = new ResourceHistory(HORIZON, 4 * BUDGET, 0);
    for (let second = 0; second < 8; second += 2)
      for (let key = 0; key < 5_000; key++) track.read(`article/${key}`, 1, second, second);
    const { sample, sampleRate } = track.accessHistory(8);
    expect(sampleRate).toBeLessThan(1);
    expect(new Set(sample.map(readsOf))).toEqual(new Set([4]));
  });

  it('goes on watching the busiest, and a key that becomes busy', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 0);
    track.read('home', 5_000, 0, 0);
    for (let key = 0; key < 20_000; key++) track.read(`article/${key}`, 1, null, 1);
    for (let burst = 0; burst < 40; burst++) track.read(`burst/${burst}`, 500, 0, 2);
    const { busiest } = track.accessHistory(3);
    const reads = busiest.map(readsOf);
    expect(reads).toContain(5_000);
    expect(reads.filter((count) => count === 500).length).toBeGreaterThan(30);
  });

  it('covers a shorter time where there are few keys, but very many moments', () => {
    const track = new ResourceHistory(100_000, 300, 0);
    for (let second = 0; second < 4_000; second += 2) track.read('topic/news', 1, second, second);
    const accessHistory = track.accessHistory(4_000);
    expect(accessHistory.sampleRate).toBe(1);
    expect(accessHistory.since).toBeGreaterThan(3_000);
    expect(accessHistory.reads).toBe(
      accessHistory.sample.map(readsOf).reduce((sum, reads) => sum + reads, 0),
    );
  });

  it('begins anew with more keys when a flood of keys is over', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 0);
    for (let key = 0; key < 50_000; key++) track.read(`article/${key}`, 1, null, 1);
    const during = track.accessHistory(2).sampleRate;
    for (let second = 5_000; second < 5_003; second++) track.accessHistory(second);
    expect(track.accessHistory(5_003).sampleRate).toBeGreaterThan(during);
  });

  it('forgets what is older than its horizon', () => {
    const track = new ResourceHistory(HORIZON, BUDGET, 0);
    track.read('a', 7, null, 10);
    track.read('b', 1, null, 2_000);
    expect(track.accessHistory(2_001)).toMatchObject({ since: 1_001, reads: 1 });
  });
});
