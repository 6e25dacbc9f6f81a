import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Sparkline } from './sparkline.tsx';

function pathOf(values: (number | null)[]): string | undefined {
  return / d="([^"]*)"/.exec(renderToStaticMarkup(<Sparkline label="Hit ratio" values={values} />))?.[1];
}

it('draws ratios upwards, the newest at the right edge, and nothing where nothing was counted', () => {
  expect(pathOf([0, 1])).toBe('M56.0 15.0h2L58.0 1.0h2');
  expect(pathOf([1, null, 0.5])).toBe('M54.0 1.0h2M58.0 8.0h2');
  expect(pathOf([null])).toBe('');
});

it('fills its width with half an hour', () => {
  expect(pathOf(Array.from({ length: 30 }, () => 1))).toMatch(/^M0\.0 1\.0h2.*L58\.0 1\.0h2$/);
});
