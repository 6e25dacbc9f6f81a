import { expect, it } from 'vitest';
import type { SharedView } from './peers.ts';
import { createViewPeering } from './view-peering.ts';

const views = Array.from(
  { length: 5_000 },
  (_, index): SharedView => ({ id: index + 1, idempotencyKey: `key-${index}`, payload: '{}', createdAt: 0 }),
);

/** Peers that are told everything, and know of it what `keeps` says. */
function peeringWith(keeps: (told: readonly SharedView[]) => number) {
  const told: number[] = [];
  const peering = createViewPeering({
    store: {
      waitingViews: ({ after, most }) => views.filter(({ id }) => id > after).slice(0, most),
      forgetViews: () => 0,
      addViews: () => undefined,
    },
    peers: {
      share: async (waiting) => {
        told.push(waiting.length);
        return keeps(waiting);
      },
      adopt: async () => [],
      takenUpTo: async () => 0,
    },
    now: () => 10_000,
    hasRoom: () => true,
    onMoved: () => undefined,
  });
  return { peering, told };
}

it('tells the others of everything before a stop', async () => {
  const { peering, told } = peeringWith((waiting) => waiting.at(-1)?.id ?? 0);
  await peering.shareAll();
  expect(told).toEqual([2_000, 2_000, 1_000]);
});

it('gives up where what it tells is not kept', async () => {
  const { peering, told } = peeringWith(() => 0);
  await peering.shareAll();
  expect(told).toEqual([2_000]);
});
