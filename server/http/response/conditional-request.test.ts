import { describe, expect, it } from 'vitest';
import { matchesEtag } from './conditional-request.ts';

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
