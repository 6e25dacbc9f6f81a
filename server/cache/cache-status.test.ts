import { describe, expect, it } from 'vitest';
import { cacheStatus, secondsOfTtl } from './cache-status.ts';

describe('the Cache-Status header', () => {
  it.each([
    ['data', { forward: null, ttl: -3 }, 'data; hit; ttl=-3'],
    ['page', { forward: null, ttl: 42 }, 'page; hit; ttl=42'],
    ['page', { forward: 'miss', ttl: 60 }, 'page; fwd=miss'],
    ['data', { forward: 'stale', ttl: -12 }, 'data; fwd=stale'],
  ] as const)('of %s for %j is %s', (name, outcome, header) => {
    expect(cacheStatus(name, outcome)).toBe(header);
  });
});

describe('the seconds of a ttl', () => {
  it.each([
    [12_000, 12],
    [11_001, 12],
    // Rounding error of clock differences.
    [3_000.000_000_002, 3],
    [0.001, 1],
    [0, -1],
    [-1, -1],
    [-3_000, -3],
    [-3_000.000_000_002, -3],
    [-3_999, -3],
  ])('of %d ms are %i: positive while fresh, negative once stale', (ms, seconds) => {
    expect(secondsOfTtl(ms)).toBe(seconds);
  });
});
