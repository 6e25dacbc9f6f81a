import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { ACCESSES, createAccessRing } from './access-ring.ts';

function ringOf(capacity = ACCESSES) {
  const clock = fakeClock();
  return { clock, ring: createAccessRing({ clock, capacity }) };
}

describe('a ring of accesses', () => {
  it('has the reads of each key by the second, and which found nothing', () => {
    const { clock, ring } = ringOf();
    ring.read('article', 'article/one', 1, true);
    ring.read('article', 'article/one', 4, false);
    ring.read('article', 'article/two', 2, false);
    ring.read('home', 'home', 7, false);
    clock.monotonicMs = 3_400;
    ring.read('article', 'article/one', 1, false);
    expect(ring.recorded('article')).toEqual({
      since: 0,
      until: 3.4,
      reads: 8,
      periods: [3, 2, 2, 2],
      sampleRate: 1,
      keys: [
        {
          reads: [
            { second: 0, count: 5, cold: true },
            { second: 3, count: 1, cold: false },
          ],
          periods: [2, 1, 1, 1],
          changes: [],
        },
        { reads: [{ second: 0, count: 2, cold: false }], periods: [1, 1, 1, 1], changes: [] },
      ],
    });
    expect(ring.recorded('home').reads).toBe(7);
    expect(ring.recorded('topic')).toMatchObject({ reads: 0, keys: [] });
  });

  it('has reads that are told late in their order', () => {
    const { clock, ring } = ringOf();
    clock.monotonicMs = 5_000;
    ring.read('article', 'article/one', 1, false);
    ring.read('article', 'article/one', 3, false, 4_000);
    expect(ring.recorded('article').keys[0]?.reads.map(({ second }) => second)).toEqual([4, 5]);
  });

  it('estimates that a value changed half-way between two loads', () => {
    const { ring } = ringOf();
    ring.read('article', 'article/one', 1, true);
    ring.changed('article', 'article/one', 10_000, 40_000);
    expect(ring.recorded('article').keys[0]?.changes).toEqual([25]);
  });

  it('has no change of before the process, of a value that a snapshot brought', () => {
    const { ring } = ringOf();
    ring.read('article', 'article/one', 1, false);
    ring.changed('article', 'article/one', -600_000, 5_000);
    expect(ring.recorded('article').keys[0]?.changes).toEqual([]);
  });

  it('keeps the newest accesses, and begins with the first minute of which it has all', () => {
    const { clock, ring } = ringOf(100);
    for (let nth = 0; nth < 250; nth++) {
      clock.monotonicMs = nth * 60_000;
      ring.read('article', `article/${nth}`, 1, true);
    }
    const { since, reads, keys } = ring.recorded('article');
    expect(since).toBe(151 * 60);
    expect(reads).toBe(99);
    expect(keys).toHaveLength(99);
  });

  it('begins with its oldest read, also where an older change is told after it', () => {
    const { clock, ring } = ringOf(4);
    clock.monotonicMs = 50_000;
    ring.read('article', 'article/one', 1, true);
    ring.changed('article', 'article/one', 0, 50_000);
    for (let nth = 0; nth < 3; nth++) ring.read('article', `article/${nth}`, 1, true, 55_000 + nth);
    clock.monotonicMs = 70_000;
    expect(ring.recorded('article').since).toBe(60);
  });

  it('knows of all keys in how many seconds and longer periods they were read, also where that is told late', () => {
    const { clock, ring } = ringOf();
    for (const [key, ms] of [
      ['one', 59_000],
      ['one', 60_000],
      ['two', 60_000],
      ['one', 59_000],
      ['one', 60_500],
    ] as const) {
      clock.monotonicMs = Math.max(clock.monotonicMs, ms);
      ring.read('article', key, 1, false, ms);
    }
    expect(ring.recorded('article')).toMatchObject({ reads: 5, periods: [3, 3, 3, 3] });
  });

  it('tells of a day at most', () => {
    const { clock, ring } = ringOf();
    for (let minute = 0; minute < 2_000; minute++) {
      clock.monotonicMs = minute * 60_000;
      ring.read('home', 'home', 1, false);
    }
    const { since, until, reads, keys } = ring.recorded('home');
    expect(until - since).toBeLessThanOrEqual(86_400);
    expect(keys[0]?.reads).toHaveLength(reads);
    expect(reads).toBe(1_440);
  });
});

describe('the share of the keys', () => {
  /** Reads `keys` articles each second, and one list. */
  function readFor({ clock, ring }: ReturnType<typeof ringOf>, seconds: number, keys: number): void {
    for (let second = 0; second < seconds; second++) {
      clock.monotonicMs += 1_000;
      for (let key = 0; key < keys; key++) ring.read('article', `article/${key}`, 1, false);
      ring.read('home', 'home', 1, false);
    }
  }

  it('gets smaller where the ring would hold less than an hour, with the whole history of each sampled key', () => {
    const site = ringOf(20_000);
    readFor(site, 600, 40);
    const { sampleRate, since, reads, keys } = site.ring.recorded('article');
    expect(sampleRate).toBeLessThanOrEqual(1 / 8);
    for (const key of keys) expect(key.reads).toHaveLength(600 - Math.max(0, since - 1));
    // Those of the other keys count as well.
    expect(reads).toBe(40 * 600);
  });

  it('gets smaller also where values change that were loaded long before', () => {
    const site = ringOf(20_000);
    for (let minute = 0; minute < 5; minute++) {
      readFor(site, 59, 40);
      site.ring.changed('article', 'article/1', 0, site.clock.monotonicMs);
      readFor(site, 1, 1);
    }
    expect(site.ring.recorded('article').sampleRate).toBeLessThan(1);
  });

  it('stays whole for a resource that takes little of the ring', () => {
    const site = ringOf(20_000);
    readFor(site, 600, 40);
    expect(site.ring.recorded('home')).toMatchObject({ sampleRate: 1, reads: 600 });
  });

  it('gets larger again when there is room, and the record of that resource begins anew', () => {
    const site = ringOf(40_000);
    readFor(site, 600, 40);
    readFor(site, 8 * 3_600, 0);
    expect(site.ring.recorded('article')).toMatchObject({ sampleRate: 1, reads: 0 });
    expect(site.ring.recorded('article').since).toBeGreaterThan(8 * 3_600);
    expect(site.ring.recorded('home').reads).toBe(600 + 8 * 3_600);
  });

  it('is of keys that are chosen evenly', () => {
    const { clock, ring } = ringOf(20_000);
    for (let second = 0; second < 300; second++) {
      clock.monotonicMs = second * 1000;
      for (let key = 0; key < 100; key++) ring.read('article', `article/news/${second * 100 + key}`, 1, true);
    }
    const { sampleRate, keys } = ring.recorded('article');
    expect(sampleRate).toBeLessThan(1);
    expect(keys.length / (30_000 * sampleRate)).toBeCloseTo(1, 1);
  });
});
