import { afterEach, describe, expect, it, vi } from 'vitest';
import { age, axisTime, bytes, clockTime, count, duration, percent, perSecond, timeAfter } from './format.ts';

afterEach(() => vi.unstubAllEnvs());

describe('numbers of the dashboard', () => {
  it.each([
    [0.93119, '93.1 %'],
    [1, '100 %'],
    [0.9996, '> 99.9 %'],
    [0.0004, '< 0.1 %'],
    [0, '0 %'],
    [null, '–'],
  ])('a ratio of %s is %s', (ratio, text) => {
    expect(percent(ratio)).toBe(text);
  });

  it('a moment on an axis is in UTC', () => {
    expect(axisTime(Date.parse('2026-01-02T14:05:09Z'))).toBe('14:05');
  });

  it.each([
    [1234.5, '1,235'],
    [3.25, '3.3'],
    [7, '7'],
    [0, '0'],
    [null, '–'],
  ])('a count of %s is %s', (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [12_345_678, '12 MB'],
  ])('%s bytes are %s', (value, text) => {
    expect(bytes(value)).toBe(text);
  });

  it.each([
    [0.0012, '1.2 ms'],
    [0.25, '250 ms'],
    [1.5, '1.50 s'],
    [null, '–'],
  ])('a latency of %s seconds is %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    [30, '30 s'],
    [90, '1 min 30 s'],
    [3_600, '1 h'],
    [86_400, '1 d'],
    [90_000, '1 d 1 h'],
    [604_800, '7 d'],
    [59.97, '1 min'],
    [299.98, '5 min'],
    [3_599.9, '1 h'],
    [null, '–'],
  ])('an age of %s seconds is %s', (seconds, text) => {
    expect(age(seconds)).toBe(text);
  });

  it.each([
    [12.5, '13/s'],
    [0.25, '0.3/s'],
    [null, '–'],
  ])('a rate of %s is %s', (rate, text) => {
    expect(perSecond(rate)).toBe(text);
  });

  it.each([
    ['UTC', '14:05:09 UTC', '14:06:39 UTC'],
    ['Asia/Kolkata', '14:05:09 UTC (19:35:09 local)', '14:06:39 UTC (19:36:39 local)'],
  ])('a time in %s is %s', (zone, now, later) => {
    vi.stubEnv('TZ', zone);
    const moment = new Date('2026-03-04T14:05:09Z');
    expect(clockTime(moment)).toBe(now);
    expect(timeAfter(moment, 90)).toBe(later);
  });
});
