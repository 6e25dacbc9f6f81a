import { describe, expect, it } from 'vitest';
import { cmsEvent, normaliseEvent } from './normalise-event.ts';
import { cmsPost, excerptOf } from './normalise-post.ts';
import { beginningOf, plainText, shorten, slugOf } from './normalise-text.ts';

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
    expect(plainText('&shy;&zwj; \u2060')).toBeNull();
    expect(plainText(null)).toBeNull();
  });

  it('is shortened between words, with an ellipsis', () => {
    expect(shorten('one two, three four', 12)).toBe('one two…');
    expect(shorten('one two', 12)).toBe('one two');
  });
});

describe('the beginning of a text', () => {
  const PARAGRAPH = '<p class="intro">The vendor raises its <a href="https://example.com/">prices</a>.</p>\n';

  it('has a thousand characters, of a body that begins with much markup too', () => {
    const body = PARAGRAPH.repeat(500);
    for (const html of [
      body,
      `${'<b>x</b>'.repeat(1_000)}${body}`,
      `<style>${'x'.repeat(5_000)}</style>${body}`,
    ])
      expect(beginningOf(html)?.slice(0, 1_000)).toBe(plainText(html)?.slice(0, 1_000));
  });

  it.each([null, '', '<p> </p>', 'a &amp; b', PARAGRAPH])('of %j is all of it', (html) => {
    expect(beginningOf(html)).toBe(plainText(html));
  });

  it.each([
    ['a post', (html: string) => excerptOf(cmsPost.parse({ p_content: html }))],
    [
      'an event',
      (html: string) => normaliseEvent(cmsEvent.parse({ event_slug: 'a', event_desc: html }), () => null),
    ],
  ])('is all that is parsed of a whole article in the list of %s', (_what, read) => {
    const article = PARAGRAPH.repeat(700);
    const timeOf = (parse: (html: string) => unknown) => {
      const before = process.threadCpuUsage();
      for (let i = 0; i < 50; i++) parse(article);
      return process.threadCpuUsage(before).user;
    };
    expect(timeOf(read)).toBeLessThan(timeOf(plainText) / 2);
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
