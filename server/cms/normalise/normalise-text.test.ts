import { describe, expect, it } from 'vitest';
import { plainText, shorten, slugOf } from './normalise-text.ts';

describe('plain text', () => {
  it.each([
    ['a < b && c > d', 'a < b && c > d'],
    ['Fish &amp; chips &amp;amp; peas', 'Fish & chips &amp; peas'],
    ['&CounterClockwiseContourIntegral; &#8212; &#x1F600;', '∳ — 😀'],
    ['&lt;b&gt;bold&lt;/b&gt;', '<b>bold</b>'],
    ['<p>one</p><p>two<br>three</p>', 'one two three'],
    ['a<b>b</b>c', 'abc'],
    ['x<script>alert(1)</script><style>y</style><!-- z -->', 'x'],
    ['  a\t\n b\u0000\u0007c\u202Ed ', 'a bcd'],
  ])('of %j is %j', (source, text) => {
    expect(plainText(source)).toBe(text);
  });

  it('is null when nothing is left', () => {
    expect(plainText('<p> </p>')).toBeNull();
    expect(plainText(null)).toBeNull();
  });

  it('is shortened between words, with an ellipsis', () => {
    expect(shorten('one two, three four', 12)).toBe('one two…');
    expect(shorten('one two', 12)).toBe('one two');
  });
});

describe('a slug', () => {
  it('is as long as one of a request may be, and is trimmed', () => {
    expect(slugOf(` ${'x'.repeat(512)} `)).toBe('x'.repeat(512));
    expect(slugOf('x'.repeat(513))).toBeNull();
    expect(slugOf(' ')).toBeNull();
  });

  it.each(['.', '..', ' .. ', '%2e', '%252E.', 'a\uFFFE'])('is none that no request can name: %j', (slug) => {
    expect(slugOf(slug)).toBeNull();
  });

  it.each(['...', '.net', 'a..b'])('may have dots: %j', (slug) => {
    expect(slugOf(slug)).toBe(slug);
  });
});
