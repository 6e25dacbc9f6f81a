import { describe, expect, it } from 'vitest';
import { parseBoundedHtml } from './parse-bounded-html.ts';
import { singleLineText, withoutTags } from './text-content.ts';

describe('a text without tags', () => {
  it.each([
    ['<b>A</b> and <i>B</i>', 'A and B'],
    ['1 < 2', '1 < 2'],
  ])('of %s is %s', (html, text) => {
    expect(withoutTags(html)).toBe(text);
  });

  it('is found in linear time, where no tag has an end too', () => {
    const before = process.threadCpuUsage();
    withoutTags('<'.repeat(200_000));
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500);
  });
});

it.each([
  ['<p>One</p><p>two<br>three</p>', 'One two three'],
  ['<b>o</b>ne', 'one'],
  ['<ruby>明日<rp>(</rp><rt>あした</rt><rp>)</rp></ruby>まで', '明日(あした)まで'],
])('a text that a reader sees has spaces where blocks and lines end: %s', (html, text) => {
  expect(singleLineText(parseBoundedHtml(html).root)).toBe(text);
});
