import { expect, it } from 'vitest';
import { readerKey } from './rate-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['not an address', 'not an address'],
])('a reader at %s is counted as %s', (ip, key) => {
  expect(readerKey(ip)).toBe(key);
});
