import { describe, expect, it } from 'vitest';
import { evaluatePreconditions } from './send-response.ts';

const ETAG = '"a"';

describe('preconditions of what has the ETag "a"', () => {
  it.each([
    ['"a"', 304],
    ['W/"a"', 304],
    ['"x", "a"', 304],
    ['*', 304],
    ['"b"', null],
    ['a', null],
    [undefined, null],
  ])('If-None-Match: %j is compared weakly', (header, expected) => {
    expect(evaluatePreconditions({ 'if-none-match': header }, ETAG)).toBe(expected);
  });

  it.each([
    ['"a"', null],
    ['"x", "a"', null],
    ['*', null],
    ['W/"a"', 412],
    ['"b"', 412],
    ['', 412],
    [undefined, null],
  ])('If-Match: %j is compared strongly', (header, expected) => {
    expect(evaluatePreconditions({ 'if-match': header }, ETAG)).toBe(expected);
  });

  it('If-Match is evaluated before If-None-Match, and dates are not', () => {
    const before = 'Mon, 01 Jan 2001 00:00:00 GMT';
    expect(evaluatePreconditions({ 'if-match': '"b"', 'if-none-match': '"a"' }, ETAG)).toBe(412);
    expect(evaluatePreconditions({ 'if-match': '"a"', 'if-none-match': '"a"' }, ETAG)).toBe(304);
    expect(evaluatePreconditions({ 'if-unmodified-since': before }, ETAG)).toBeNull();
  });
});
