import type { PurgeQueue, PurgeQueueOptions } from './purge-queue.ts';

/**
 * How long other instances have to hear of a purge before it is sent (ms). More than the two times of
 * `invalidation-stream.ts` after which a message is late.
 */
const DELAY_MS = 100;

type Delayable = Pick<PurgeQueue, 'purgeTags' | 'purgeAll' | 'size' | 'close'>;

/**
 * Delays what is queued: a batch that is about to be sent would take it along, and an instance that has not heard of it
 * yet would send the CDN its old entry after that.
 */
export function delayPurges(purges: Delayable, later: PurgeQueueOptions['later']): Delayable {
  /** Purges that are delayed, with their number of tags, and what cancels their timers. */
  const delayed = new Map<() => void, { tags: number; cancel: () => void }>();

  function delay(tags: number, purge: () => void): void {
    const cancel = later(() => {
      delayed.delete(purge);
      purge();
    }, DELAY_MS);
    delayed.set(purge, { tags, cancel });
  }

  return {
    purgeTags: (tags, soft) => delay(tags.length, () => purges.purgeTags(tags, soft)),
    purgeAll: () => delay(1, () => purges.purgeAll()),
    size: () => [...delayed.values()].reduce((sum, { tags }) => sum + tags, purges.size()),
    close(ms) {
      for (const [purge, { cancel }] of delayed) {
        cancel();
        purge();
      }
      delayed.clear();
      return purges.close(ms);
    },
  };
}
