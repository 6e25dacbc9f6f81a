import { expect, it } from 'vitest';
import { createViewCounter } from './view-counter.ts';

it('passes a view to the outbox with the public IP', async () => {
  const counted: object[] = [];
  const views = createViewCounter({
    publicIp: {
      resolve: async (ip) => (ip === '10.0.0.1' ? '93.184.216.34' : ip),
      prepare: () => undefined,
    },
    outbox: { countView: (view) => counted.push(view) },
    countsDocuments: true,
  });
  expect(views.count({ postId: '7', ip: '10.0.0.1' })).toBeUndefined();
  await Promise.resolve();
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});

it('passes it synchronously where no lookup is needed', () => {
  const counted: object[] = [];
  const views = createViewCounter({
    publicIp: { resolve: (ip) => ip, prepare: () => undefined },
    outbox: { countView: (view) => counted.push(view) },
    countsDocuments: true,
  });
  views.count({ postId: '7', ip: '93.184.216.34' });
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});

it('prepares the public IP before an event’s page and its data, and before no other', () => {
  const prepared: string[] = [];
  const views = createViewCounter({
    publicIp: { resolve: (ip) => ip, prepare: (ip) => prepared.push(ip) },
    outbox: { countView: () => undefined },
    countsDocuments: true,
  });
  for (const target of ['/events/a', '/api/events/b', '/events', '/events/', '/news/events/c'])
    views.beforePage(target, target);
  expect(prepared).toEqual(['/events/a', '/api/events/b']);
});

it('counts a page of a post unless the filter rejects it', () => {
  const counted: object[] = [];
  const views = createViewCounter({
    publicIp: { resolve: (ip) => ip, prepare: () => undefined },
    outbox: { countView: (view) => counted.push(view) },
    countsDocuments: true,
  });
  const request = { method: 'GET', status: 200, headers: {} };
  views.afterPage('7', request, '93.184.216.34');
  views.afterPage(null, request, '93.184.216.34');
  views.afterPage('8', { ...request, status: 404 }, '93.184.216.34');
  expect(counted).toEqual([{ postId: '7', address: '93.184.216.34' }]);
});
