import { describe, expect, it } from 'vitest';
import { imageSources } from '#shared/urls.ts';
import { negotiateFormat, servedWidth } from './widths-and-formats.ts';

it('serves each width that pages name in a srcset as it is', () => {
  const { srcSet = '' } = imageSources('/media/a.jpg', 2000, '100vw');
  const widths = srcSet.split(', ').map((candidate) => Number(/ (\d+)w$/.exec(candidate)?.[1]));
  expect(widths.length).toBeGreaterThan(4);
  expect(widths.map(servedWidth)).toEqual(widths);
});

describe('servedWidth', () => {
  it.each([
    [undefined, 2000],
    [0, 160],
    [1, 160],
    [160, 160],
    [161, 320],
    [500, 640],
    [801, 960],
    [1000, 1200],
    [2000, 2000],
    [2001, 2000],
    [99_999, 2000],
  ])('takes %s to %i', (requested, width) => {
    expect(servedWidth(requested)).toBe(width);
  });
});

it.each([
  // Chrome, Firefox, Safari, a navigation, Safari before AVIF, Safari before WebP.
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
  ['image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'avif'],
  ['image/webp,image/avif,image/jxl,image/heic,video/*;q=0.8,image/png,image/*;q=0.8,*/*;q=0.5', 'avif'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'avif'],
  ['image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'webp'],
  ['image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5', 'fallback'],
  [undefined, 'fallback'],
  ['', 'fallback'],
  ['*/*', 'fallback'],
  ['image/*', 'fallback'],
  ['image/jpeg,image/png', 'fallback'],
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/*, image/png;q=0', 'jpeg'],
  ['image/jpeg;q=0, */*', 'png'],
  ['IMAGE/AVIF', 'avif'],
  ['image/avif;q=0, image/webp', 'webp'],
  ['image/avif; q=0.000, image/webp;q=0.0', 'fallback'],
  ['image/avif;q=0.5, image/webp', 'webp'],
  ['image/avif;q=0.5, image/jpeg', 'jpeg'],
  ['image/avif;v=1;q=0.5', 'avif'],
  ['image/avif;q=x, image/webp;q=2', 'webp'],
  ['application/json', 'fallback'],
  [',;=,', 'fallback'],
] as const)('takes %j as %s', (accept, format) => {
  expect(negotiateFormat(accept)).toBe(format);
});

it('takes linear time', () => {
  const before = process.threadCpuUsage();
  negotiateFormat('image/avif;q=0,'.repeat(1_000));
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500);
});
