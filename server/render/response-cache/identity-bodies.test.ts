import { expect, it } from 'vitest';
import { buildCachedResponseSync } from './compressed-bodies.ts';
import { createIdentityBodies } from './identity-bodies.ts';

const LENGTH = 10_000;
const responseOf = (name: string) =>
  buildCachedResponseSync(200, 'text/html', name.repeat(LENGTH / name.length));

it('uncompresses a body once for as long as it is requested', () => {
  const bodies = createIdentityBodies(100_000);
  const response = responseOf('one ');
  const body = bodies.get(response);
  expect(body.toString()).toBe('one '.repeat(LENGTH / 4));
  expect(bodies.get(response)).toBe(body);
});

it('shares one body among responses of the same bytes', () => {
  const bodies = createIdentityBodies(100_000);
  expect(bodies.get(responseOf('one '))).toBe(bodies.get(responseOf('one ')));
});

it('keeps the most recently requested bodies within its bound, and counts them', () => {
  const bodies = createIdentityBodies(3 * LENGTH);
  const responses = ['aa', 'bb', 'cc', 'dd'].map(responseOf);
  const [first, second] = responses.map((response) => bodies.get(response));
  expect(bodies.bytes).toBeGreaterThan(2 * LENGTH);
  expect(bodies.bytes).toBeLessThanOrEqual(3 * LENGTH);
  for (const response of responses.slice(0, 2)) {
    const again = bodies.get(response);
    expect(again).not.toBe(response === responses[0] ? first : second);
    expect(again.toString()).toBe((response === responses[0] ? first : second)?.toString());
  }
});

it('returns what is larger than its bound without keeping it', () => {
  const bodies = createIdentityBodies(LENGTH);
  expect(bodies.get(responseOf('one ')).length).toBe(LENGTH);
  expect(bodies.bytes).toBe(0);
});
