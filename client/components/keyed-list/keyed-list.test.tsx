import { expect, it } from 'vitest';
import { KeyedList } from './keyed-list.tsx';

it('gives a duplicate item a key of its own, and leaves the other keys with their items', () => {
  const [consent, cookies] = [{ slug: 'consent' }, { slug: 'cookies' }];
  const keysOf = (items: readonly { slug: string }[]) =>
    KeyedList({ items, children: ({ slug }) => slug }).map(({ key }) => key);
  const [first, cookiesKey, second] = keysOf([consent, cookies, consent]);
  expect(second).not.toBe(first);
  expect(keysOf([cookies, consent])).toEqual([cookiesKey, first]);
});
