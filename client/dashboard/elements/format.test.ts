import { describe, expect, it } from 'vitest';
import { age, bytes, count, duration, percent } from './format.ts';

describe('numbers in the cockpit', () => {
  it.each([
    [0.93119, '93.1 %'],
    [1, '100 %'],
    [0, '0 %'],
    [null, '–'],
  ])('a ratio of %s is %s', (ratio, text) => {
    expect(percent(ratio)).toBe(text);
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
  ])('%s seconds of waiting are %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    [30, '30 s'],
    [90, '1 min 30 s'],
    [3_600, '1 h'],
    [86_400, '1 d'],
    [90_000, '1 d 1 h'],
    [604_800, '7 d'],
    [null, '–'],
  ])('an age of %s seconds is %s', (seconds, text) => {
    expect(age(seconds)).toBe(text);
  });
});
