import { describe, expect, it } from 'vitest';
import { MAX_SERIES } from '#shared/metric-declarations.ts';
import { createSampleRing } from './sample-ring.ts';

const STEP_MS = 10_000;
const sampleOf = (values: Record<string, number>) => new Map(Object.entries(values));

describe('the ring of samples', () => {
  it('keeps ten seconds for an hour, then a minute for a day, in less than 2 MB', () => {
    const ring = createSampleRing();
    for (let nth = 0; nth < 10_000; nth++) ring.add(sampleOf({ a: nth }), nth * STEP_MS);
    const hour = ring.rows(60, 9_999 * STEP_MS);
    expect(hour.stepMs).toBe(STEP_MS);
    expect(hour.values.at(-1)).toEqual([9_999]);
    expect(hour.values).toHaveLength(360);
    const day = ring.rows(1_440, 9_999 * STEP_MS);
    expect(day.stepMs).toBe(60_000);
    expect(day.values).toHaveLength(1_440);
    expect((day.at.at(-1) ?? 0) - (day.at[0] ?? 0)).toBe(1_439 * 60_000);
    expect(ring.save().length).toBeLessThan(2_000_000);
  });

  it('a series that is not there yet is null, and zero is a value', () => {
    const ring = createSampleRing();
    ring.add(sampleOf({ a: 0 }), 0);
    ring.add(sampleOf({ a: 1, b: 2 }), STEP_MS);
    expect(ring.series()).toEqual(['a', 'b']);
    expect(ring.rows(5, STEP_MS).values).toEqual([
      [0, null],
      [1, 2],
    ]);
  });

  it('has places for 120 series, and reuses those of a process before', () => {
    const ring = createSampleRing();
    const many = Object.fromEntries(Array.from({ length: MAX_SERIES }, (_, nth) => [`s${nth}`, nth]));
    ring.add(sampleOf(many), 0);
    expect(ring.series()).toHaveLength(MAX_SERIES);
    ring.add(sampleOf({ s1: 1, another: 7 }), STEP_MS);
    expect(ring.series()).toContain('another');
    expect(ring.rows(5, STEP_MS).values[0]?.[ring.series().indexOf('another')]).toBeNull();
  });

  it('gives the place of its last series to one that comes before it', () => {
    const ring = createSampleRing();
    const cached = Array.from({ length: MAX_SERIES }, (_, nth): [string, number] => [`cached${nth}`, nth]);
    ring.add(new Map(cached), 0);
    ring.add(new Map([['failed', 7], ...cached.slice(0, -1)]), STEP_MS);
    const { series, rows } = { series: ring.series(), rows: ring.rows(5, STEP_MS).values };
    expect(rows.map((row) => row[series.indexOf('failed')])).toEqual([null, 7]);
    expect(series).toContain(`cached${MAX_SERIES - 2}`);
    expect(series).not.toContain(`cached${MAX_SERIES - 1}`);
  });

  it('is restored from what it saved, and rejects anything else', () => {
    const ring = createSampleRing();
    for (let nth = 0; nth < 500; nth++) ring.add(sampleOf({ a: nth }), nth * STEP_MS);
    const again = createSampleRing();
    again.restore(ring.save());
    for (const minutes of [60, 1_440])
      expect(again.rows(minutes, 499 * STEP_MS)).toEqual(ring.rows(minutes, 499 * STEP_MS));
    again.add(sampleOf({ a: 500 }), 500 * STEP_MS);
    expect(again.rows(5, 500 * STEP_MS).values.at(-1)).toEqual([500]);
    for (const broken of ['', '{}', '{"version":1}\n', `${ring.save().toString('latin1').slice(0, -8)}`])
      expect(() => createSampleRing().restore(Buffer.from(broken, 'latin1'))).toThrow();
  });

  it('has the last minutes, not the last samples: those of before a pause are older', () => {
    const ring = createSampleRing();
    const hours = 3_600_000;
    for (const at of [0, STEP_MS, 10 * hours, 10 * hours + STEP_MS]) ring.add(sampleOf({ a: at }), at);
    expect(ring.rows(60, 10 * hours + STEP_MS).at).toEqual([10 * hours, 10 * hours + STEP_MS]);
    expect(ring.rows(1_440, 10 * hours + STEP_MS).at).toEqual([0, 10 * hours]);
  });

  it('keeps nothing from after a moment to which the clock was set back', () => {
    const ring = createSampleRing();
    ring.add(sampleOf({ a: 1 }), 5_000);
    ring.add(sampleOf({ a: 2 }), 1_000_000);
    ring.add(sampleOf({ a: 3 }), 1_010_000);
    ring.add(sampleOf({ a: 4 }), 20_000);
    expect(ring.rows(5, 20_000).at).toEqual([5_000, 20_000]);
  });
});
