import { describe, expect, it } from 'vitest';
import { cacheStatus, secondsOfTtl, serverTiming } from './cache-status.ts';

describe('the Cache-Status header', () => {
  it.each([
    ['page', { forward: null, ttl: 42, took: null }, 'page; hit; ttl=42'],
    ['data', { forward: null, ttl: -3, took: null }, 'data; hit; ttl=-3'],
    ['page', { forward: null, ttl: 42, took: { all: 5, render: 2 } }, 'page; hit; ttl=42'],
    ['page', { forward: 'miss', ttl: 60, took: { all: 5, render: 2 } }, 'page; fwd=miss'],
    ['data', { forward: 'stale', ttl: -12, took: { all: 250, render: null } }, 'data; fwd=stale'],
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

describe('the Server-Timing header', () => {
  it.each([
    ['page', { forward: null, ttl: 42, took: null }, 'page;desc=hit'],
    ['data', { forward: null, ttl: -12, took: null }, 'data;desc=hit'],
    [
      'page',
      { forward: 'miss', ttl: 60, took: { all: 20.04, render: 4.25 } },
      'page;desc=miss;dur=20.0, render;dur=4.3',
    ],
    [
      'page',
      { forward: null, ttl: 60, took: { all: 9, render: 4 } },
      'page;desc=hit;dur=9.0, render;dur=4.0',
    ],
    ['data', { forward: 'stale', ttl: 60, took: { all: 3, render: null } }, 'data;desc=stale;dur=3.0'],
  ] as const)('of %s for %j is %s', (name, outcome, header) => {
    expect(serverTiming(name, outcome)).toBe(header);
  });
});
