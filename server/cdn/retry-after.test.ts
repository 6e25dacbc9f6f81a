import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('Mon, 23 Nov 2026 12:00:00 GMT');

it.each([
  ['120', 120_000],
  ['Mon, 23 Nov 2026 12:00:30 GMT', 30_000],
  ['Wed, 21 Oct 2015 07:28:00 GMT', null],
  ['0', null],
  ['-5', null],
  ['soon', null],
  ['', null],
  [undefined, null],
  [['3', '4'], null],
])('Retry-After %j asks for %j ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
