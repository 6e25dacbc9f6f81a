import type { Outbox } from '#server/outbox/outbox.ts';
import type { PublicIp } from './public-ip.ts';

/** Counts views after the answer is on its way: never delays a reader, never fails. */
export interface ViewCounter {
  count(view: { postId: string; ip: string }): void;
  /** Has the reader's address stand ready, as the specification asks before an event. Never throws, never waits. */
  prepare(ip: string): void;
  /** Resolves when every view counted so far is with the outbox. */
  settled(): Promise<void>;
}

/** Finds the address to send and hands the view to the outbox. */
export function createViewCounter({
  address,
  outbox,
}: {
  address: PublicIp;
  outbox: Pick<Outbox, 'countView' | 'hasRoomForView'>;
}): ViewCounter {
  const pending = new Set<Promise<void>>();

  return {
    count({ postId, ip }) {
      // In a flood no address is looked for whose view cannot be kept.
      const found = outbox.hasRoomForView() ? address.clientIpOf(ip) : ip;
      if (!(found instanceof Promise)) return outbox.countView({ postId, address: found });
      const counted = found
        .then((looked) => outbox.countView({ postId, address: looked }))
        .finally(() => pending.delete(counted));
      pending.add(counted);
    },
    prepare: (ip) => address.prepare(ip),
    async settled() {
      await Promise.allSettled(pending);
    },
  };
}
