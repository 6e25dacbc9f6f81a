import { describe, expect, it } from 'vitest';
import { chooseEncoding } from './content-negotiation.ts';

describe('chooseEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', null],
    ['identity', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.8, gzip;q=0.8', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['br;q=0.2, *', 'gzip'],
    ['gzip, *;q=0.5', 'gzip'],
    ['*, br;q=0, gzip;q=0', 'identity'],
    ['*;q=0, identity;q=0.1', 'identity'],
    ['identity;q=0', null],
    ['identity; Q=0.0', null],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, br;q=0.1, gzip;q=0.2', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['*;q=0, x-gzip', 'gzip'],
    ['identity;q=0, deflate', null],
    ['deflate, zstd', 'identity'],
    ['br;q=5, gzip', 'br'],
  ])('chooses for %j: %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });

  it('chooses the same for a repeated header, however many come between', () => {
    const headers = Array.from({ length: 500 }, (_, index) => `x-${index}, gzip;q=0.${index + 1}`);
    for (const header of [...headers, ...headers]) expect(chooseEncoding(header)).toBe('gzip');
    expect(chooseEncoding('identity;q=0')).toBeNull();
    expect(chooseEncoding('identity;q=0')).toBeNull();
  });

  it('survives a header of noise', () => {
    expect(chooseEncoding(',;=,;q'.repeat(10_000))).toBe('identity');
  });
});
