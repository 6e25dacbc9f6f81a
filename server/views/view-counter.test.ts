import { expect, it } from 'vitest';
import { createViewCounter } from './view-counter.ts';

it('hands a view to the outbox with the address that was found for its reader', async () => {
  const counted: object[] = [];
  const views = createViewCounter({
    address: {
      clientIpOf: async (ip) => (ip === '10.0.0.1' ? '93.184.216.34' : ip),
      prepare: () => undefined,
    },
    outbox: { countView: (view) => counted.push(view), hasRoomForView: () => true },
  });
  expect(views.count({ postId: '7', ip: '10.0.0.1' })).toBeUndefined();
  await Promise.resolve();
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});

it('hands it over at once where no lookup is needed', () => {
  const counted: object[] = [];
  const views = createViewCounter({
    address: { clientIpOf: (ip) => ip, prepare: () => undefined },
    outbox: { countView: (view) => counted.push(view), hasRoomForView: () => true },
  });
  views.count({ postId: '7', ip: '93.184.216.34' });
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});

it('looks for no address while the outbox has no room, and leaves the loss to its count', () => {
  const counted: object[] = [];
  let asked = 0;
  const views = createViewCounter({
    address: {
      clientIpOf: async (ip) => {
        asked++;
        return ip;
      },
      prepare: () => undefined,
    },
    outbox: { countView: (view) => counted.push(view), hasRoomForView: () => false },
  });
  views.count({ postId: '7', ip: '10.0.0.1' });
  expect(asked).toBe(0);
  expect(counted).toHaveLength(1);
});
