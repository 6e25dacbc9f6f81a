import { expect, it } from 'vitest';
import { appliedBy } from './applied-by.ts';

it.each([
  [undefined, ''],
  [{ applied: 3, known: 3, missing: [] }, ' 3 of 3 instances have applied it.'],
  [
    { applied: 2, known: 3, missing: ['web-3'] },
    ' 2 of 3 instances have applied it; missing: web-3. See Instances.',
  ],
  [{ applied: 1, known: null, missing: [] }, ' Redis is down: the other instances apply it when it is back.'],
])('%j is told as "%s"', (instances, text) => {
  expect(appliedBy(instances)).toBe(text);
});
