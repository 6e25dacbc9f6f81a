import { expect, it } from 'vitest';
import { appliedBy } from './applied-by.ts';

it.each([
  [undefined, ''],
  [{ applied: 2, known: 3 }, ' 2 of 3 instances have applied it.'],
  [{ applied: 1, known: null }, ' Redis is down: the other instances apply it when it is back.'],
])('says of %j "%s"', (instances, text) => {
  expect(appliedBy(instances)).toBe(text);
});
