import { describe, expect, it } from 'vitest';
import { chooseEncoding, matchesEtag } from './negotiate.ts';

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
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['br;q=nonsense', 'identity'],
  ])('answers %j in %s', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });

  it('survives a header that is nothing but noise', () => {
    expect(chooseEncoding(',;=,;q'.repeat(10_000))).toBe('identity');
  });
});

describe('matchesEtag', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"x", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    [undefined, false],
  ])('compares %j with "a" weakly', (header, expected) => {
    expect(matchesEtag(header, '"a"')).toBe(expected);
  });
});
