import { expect, it } from 'vitest';
import { createViewCounter } from './view-counter.ts';

it('hands a view to the outbox with the address that was found for its reader', async () => {
  const counted: object[] = [];
  const views = createViewCounter({
    address: {
      addressOf: async (ip) => (ip === '10.0.0.1' ? '93.184.216.34' : ip),
      prepare: () => undefined,
    },
    outbox: { countView: (view) => counted.push(view) },
  });
  expect(views.count({ postId: '7', ip: '10.0.0.1' })).toBeUndefined();
  await Promise.resolve();
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});
