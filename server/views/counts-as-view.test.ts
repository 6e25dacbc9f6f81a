import { describe, expect, it } from 'vitest';
import { countsAsView } from './counts-as-view.ts';

const reader = {
  method: 'GET',
  status: 200,
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
};

describe('countsAsView', () => {
  it('counts a reader’s document, new or not modified', () => {
    expect(countsAsView(reader)).toBe(true);
    expect(countsAsView({ ...reader, status: 304 })).toBe(true);
  });

  it.each([
    [{ method: 'HEAD' }],
    [{ status: 404 }],
    [{ status: 503 }],
    [{ headers: { ...reader.headers, 'sec-purpose': 'prefetch;prerender' } }],
    [{ headers: { ...reader.headers, purpose: 'prefetch' } }],
    [{ headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' } }],
  ])('does not count %j', (difference) => {
    expect(countsAsView({ ...reader, ...difference })).toBe(false);
  });
});
