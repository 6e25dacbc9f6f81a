import { describe, expect, it } from 'vitest';
import { viewOf } from './use-view.ts';

describe('the view that an address names', () => {
  it.each([
    ['', 'overview', []],
    ['#/', 'overview', []],
    ['#/ages/topic/120', 'ages', ['topic', '120']],
    ['#/purge/post%3A4711', 'purge', ['post:4711']],
    ['#/purge/%', 'purge', ['%']],
    ['#/no-such-view/x', 'overview', ['x']],
  ])('of %j is %s', (fragment, name, words) => {
    expect(viewOf(fragment)).toMatchObject({ name, words });
  });
});
