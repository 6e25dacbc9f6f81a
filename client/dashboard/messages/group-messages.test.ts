import { expect, it } from 'vitest';
import type { OutboxMessage } from '#shared/models/ops/ops-api-types.ts';
import { groupMessages } from './group-messages.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function message(id: number, over: Partial<OutboxMessage>): OutboxMessage {
  const createdAt = new Date(NOW - id * 1_000).toISOString();
  return {
    id: String(id),
    kind: 'contact',
    state: 'pending',
    attempts: id,
    lastError: '503',
    createdAt,
    nextAttemptAt: null,
    ...over,
  };
}

it('groups messages by kind, state and error: rejected first, then the oldest', () => {
  const groups = groupMessages(
    [
      message(1, { nextAttemptAt: '2026-03-01T12:05:00Z' }),
      message(5, { nextAttemptAt: '2026-03-01T12:01:00Z' }),
      message(9, { kind: 'view' }),
      message(2, { state: 'rejected', lastError: '400' }),
    ],
    NOW,
  );
  expect(
    groups.map(({ kind, state, messages, oldestSeconds, attempts }) => [
      kind,
      state,
      messages.length,
      oldestSeconds,
      attempts,
    ]),
  ).toEqual([
    ['contact', 'rejected', 1, 2, 2],
    ['view', 'pending', 1, 9, 9],
    ['contact', 'pending', 2, 5, 5],
  ]);
  expect(groups.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null, '2026-03-01T12:01:00Z']);
  expect(groups[2]?.messages.map(({ id }) => id)).toEqual(['5', '1']);
});
