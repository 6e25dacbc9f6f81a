import { expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

it.each([
  [
    'the fields that differ',
    { before: { ttl: 30, swr: 600 }, after: { ttl: 300, swr: 600 } },
    'TTL 30 s to 5 min',
  ],
  [
    'a mode, and for how long',
    { before: { mode: 'normal', endsInSeconds: null }, after: { mode: 'freeze', endsInSeconds: 900 } },
    'mode normal to freeze, for 15 min',
  ],
  [
    'the end of a mode',
    { before: { mode: 'freeze', endsInSeconds: 9 }, after: { mode: 'normal', endsInSeconds: null } },
    'mode freeze to normal',
  ],
  ['that nothing differs', { before: { ttl: 30 }, after: { ttl: 30 } }, 'no difference'],
  [
    'what was asked, and what came of it',
    { asked: { tags: ['topic', 'post:1'], soft: true }, after: { entries: 2 } },
    'tags: topic post:1, soft, 2 entries',
  ],
  [
    'that everything was purged',
    { asked: { all: true, soft: false }, after: { entries: 1 } },
    'everything, 1 entry',
  ],
  ['what came of it, where all were asked', { asked: {}, after: { retried: 2 } }, '2 retried'],
  ['a state in one word', { after: 'pending' }, 'pending'],
  ['what was cut', { asked: '{"tags":["post:1…', after: { entries: 9 } }, '{"tags":["post:1…, 9 entries'],
])('tells %s', (_what, entry, text) => {
  expect(describeChange(entry)).toBe(text);
});
