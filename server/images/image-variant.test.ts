import { describe, expect, it } from 'vitest';
import { imageSources } from '#shared/urls.ts';
import { servedWidth } from './image-variant.ts';

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
