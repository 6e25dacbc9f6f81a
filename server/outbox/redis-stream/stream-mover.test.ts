import { expect, it } from 'vitest';
import { openMemoryStore } from '#server/outbox/sqlite/outbox-store.ts';
import { createStreamMover } from './stream-mover.ts';

it('a submission leaves its store once Redis has it in its append-only file', async () => {
  const store = openMemoryStore();
  const created = { createdAt: 0, traceparent: null };
  store.add({ kind: 'contact', payload: '{}', idempotencyKey: 'key', ...created });
  let isDurable = false;
  const added: string[] = [];
  const { move, moving } = createStreamMover({
    stream: {
      isUp: () => true,
      async move({ idempotencyKey }) {
        added.push(idempotencyKey);
        return true;
      },
      addViews: async () => true,
      isDurable: async () => isDurable,
    },
    stores: () => [store],
    isInFlight: () => false,
  });
  await move();
  expect(store.pending('contact', 10)).toHaveLength(1);
  expect(moving.size).toBe(0);
  isDurable = true;
  await move();
  expect(store.pending('contact', 10)).toHaveLength(0);
  expect(added).toEqual(['key', 'key']);
  store.close();
});
