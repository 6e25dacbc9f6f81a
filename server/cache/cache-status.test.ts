import { describe, expect, it } from 'vitest';
import { cacheStatus } from './cache-status.ts';

describe('the Cache-Status header', () => {
  it.each([
    ['page', { state: 'hit', ttl: 42 }, 'page; hit; ttl=42'],
    ['data', { state: 'hit', ttl: 0 }, 'data; hit; ttl=0'],
    ['page', { state: 'miss', ttl: 60 }, 'page; fwd=miss'],
    ['page', { state: 'stale', ttl: -12 }, 'page; fwd=stale; ttl=-12'],
  ] as const)('of %s for %j is %s', (name, outcome, header) => {
    expect(cacheStatus(name, outcome)).toBe(header);
  });
});
