import { describe, expect, it } from 'vitest';
import { viewOf } from './use-view.ts';

describe('the view of a fragment', () => {
  it.each([
    ['', 'overview', []],
    ['#/', 'overview', []],
    ['#/policies/topic/120', 'policies', ['topic', '120']],
    ['#/purge/post%3A4711', 'purge', ['post:4711']],
    ['#/purge/%', 'purge', ['%']],
    ['#/no-such-view/x', 'overview', ['x']],
  ])('of %j is %s', (fragment, name, params) => {
    expect(viewOf(fragment)).toMatchObject({ name, params });
  });
});
