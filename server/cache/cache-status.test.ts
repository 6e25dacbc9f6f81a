import { describe, expect, it } from 'vitest';
import { cacheStatus, serverTiming } from './cache-status.ts';

describe('the Cache-Status header', () => {
  it.each([
    ['page', { state: 'hit', ttl: 42, took: null }, 'page; hit; ttl=42'],
    ['data', { state: 'hit', ttl: 0, took: null }, 'data; hit; ttl=0'],
    ['page', { state: 'miss', ttl: 60, took: { all: 5, render: 2 } }, 'page; fwd=miss'],
    ['page', { state: 'stale', ttl: -12, took: null }, 'page; fwd=stale; ttl=-12'],
  ] as const)('of %s for %j is %s', (name, outcome, header) => {
    expect(cacheStatus(name, outcome)).toBe(header);
  });
});

describe('the Server-Timing header', () => {
  it.each([
    ['page', { state: 'hit', ttl: 42, took: null }, 'page;desc=hit'],
    ['data', { state: 'stale', ttl: -12, took: null }, 'data;desc=stale'],
    [
      'page',
      { state: 'miss', ttl: 60, took: { all: 20.04, render: 4.25 } },
      'page;desc=miss;dur=20.0, render;dur=4.3',
    ],
    ['data', { state: 'miss', ttl: 60, took: { all: 3, render: null } }, 'data;desc=miss;dur=3.0'],
  ] as const)('of %s for %j is %s', (name, outcome, header) => {
    expect(serverTiming(name, outcome)).toBe(header);
  });
});
