import { expect, it } from 'vitest';
import { wholeNumber } from './field.tsx';

it.each(['1e99', '-1', '1.5', '', 'soon', '99999999999'])('%s is a message, not a number', (typed) => {
  expect(() => wholeNumber('TTL', typed)).toThrow('TTL must be a whole number from 0 to 31,536,000.');
});

it('a whole number is one', () => {
  expect(wholeNumber('TTL', ' 300 ')).toBe(300);
  expect(() => wholeNumber('Minutes', '0', 1, 10)).toThrow('from 1 to 10');
});
