import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageSources } from '#shared/urls.ts';
import { originalPath, servedWidth } from './image-variant.ts';

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

describe('originalPath', () => {
  it('escapes each segment', () => {
    expect(originalPath('posts/a story?width=9#é.jpg')).toBe('/posts/a%20story%3Fwidth%3D9%23%C3%A9.jpg');
  });

  it.each([
    '',
    '.',
    '..',
    'a/..',
    'a//b',
    'a/',
    '/a',
    '..\\b',
    '%2e%2e/b',
    'a%',
    'a\0',
    'a\r\nb',
    'a\ud800',
    'a'.repeat(2048),
  ])('refuses %j', (rest) => {
    expect(originalPath(rest)).toBeNull();
  });

  it('stays below any prefix', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '..', '.', '\\', '%2e', '%2F', '?', '#', '@', ':'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const rest = pieces.join('').toWellFormed();
        const path = originalPath(rest);
        if (path === null) return;
        const { href, pathname } = new URL(`http://own/prefix${path}`);
        expect(href).toBe(`http://own/prefix${path}`);
        expect(decodeURIComponent(pathname)).toBe(`/prefix/${rest}`);
      }),
    );
  });
});
