import { describe, expect, it } from 'vitest';
import { centredWindow, leadingWindow } from './pagination.tsx';

describe('centredWindow', () => {
  it.each([
    [1, 10, [1, 2, 3, 4, 5]],
    [2, 10, [1, 2, 3, 4, 5]],
    [5, 10, [3, 4, 5, 6, 7]],
    [9, 10, [6, 7, 8, 9, 10]],
    [10, 10, [6, 7, 8, 9, 10]],
    [2, 3, [1, 2, 3]],
    [1, 1, [1]],
    [1, 0, []],
  ])('on page %i of %i shows %j', (page, total, expected) => {
    expect(centredWindow(page, total)).toEqual(expected);
  });
});

describe('leadingWindow', () => {
  it.each([
    [1, 10, [1, 2, 3, 4, 5]],
    [5, 10, [3, 4, 5, 6, 7]],
    [9, 10, [7, 8, 9, 10]],
    [10, 10, [8, 9, 10]],
    [2, 3, [1, 2, 3]],
    [7, 3, [3]],
    [1, 0, []],
  ])('on page %i of %i shows %j', (page, total, expected) => {
    expect(leadingWindow(page, total)).toEqual(expected);
  });
});
