import { expect, it } from 'vitest';
import { createRequestCounter } from './request-counter.ts';

it('counts each reader’s requests for a minute from the first one', () => {
  let now = 1_000;
  const count = createRequestCounter(() => now);
  expect(count('one')).toEqual({ requests: 1, endsAt: 61_000 });
  now = 60_999;
  expect(count('one')).toEqual({ requests: 2, endsAt: 61_000 });
  expect(count('other')).toEqual({ requests: 1, endsAt: 120_999 });
  now = 61_000;
  expect(count('one')).toEqual({ requests: 1, endsAt: 121_000 });
});
