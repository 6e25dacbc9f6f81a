import { describe, expect, it } from 'vitest';
import { withoutTags } from './text-content.ts';

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
