import { expect, it } from 'vitest';
import { clientOf } from './rate-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
  ['not an address', 'not an address'],
])('the client with the IP %s has the key %s', (ip, client) => {
  expect([clientOf(ip), clientOf(ip)]).toEqual([client, client]);
});

it.each(['x', ':'])('a forged IP of any length takes little memory: %s', (character) => {
  expect(clientOf(character.repeat(16_000)).length).toBeLessThan(100);
});
