import { expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';

it.each([
  [
    'the fields that differ',
    { before: { ttl: 30, swr: 600 }, after: { ttl: 300, swr: 600 } },
    'ttl 30 s to 5 min',
  ],
  [
    'a field that was or is not there',
    { before: { mode: 'freeze', endsInSeconds: 9 }, after: { mode: 'normal', endsInSeconds: null } },
    'mode freeze to normal, endsInSeconds 9 s to null',
  ],
  ['that nothing differs', { before: { ttl: 30 }, after: { ttl: 30 } }, 'no difference'],
  [
    'what was asked, and what came of it',
    { asked: { tags: ['topic', 'post:1'], soft: true }, after: { purged: 2 } },
    'tags: topic post:1, soft: true → purged: 2',
  ],
  [
    'what is within a field',
    { asked: { all: true }, after: { purged: 2, cdn: { queued: 1 } } },
    'all: true → purged: 2, cdn: (queued: 1)',
  ],
  ['a state in one word', { after: 'pending' }, 'pending'],
  ['what was cut', { asked: '{"tags":["post:1…', after: { purged: 9 } }, '{"tags":["post:1… → purged: 9'],
])('tells %s', (_what, entry, text) => {
  expect(describeChange(entry)).toBe(text);
});
