/** Bounds what the upstream gets when it is back and thousands of entries are stale (faults: upstream back). */
export const MAX_CONCURRENT_REFRESHES = 64;

/** A refresh beyond this is dropped: the next read of its key requests it again. */
const MAX_QUEUE_LENGTH = 5_000;

interface QueuedRefresh {
  run: () => Promise<void>;
  requests: number;
}

/** Creates the queue of background refreshes: bounded concurrency, the most requested key first. */
export function createBackgroundRefresh() {
  const queue = new Map<string, QueuedRefresh>();
  let running = 0;
  let isClosed = false;

  function startNext(): void {
    while (running < MAX_CONCURRENT_REFRESHES && !isClosed) {
      const refresh = takeMostRequested();
      if (!refresh) return;
      running++;
      void refresh.run().finally(() => {
        running--;
        startNext();
      });
    }
  }

  function takeMostRequested(): QueuedRefresh | null {
    let most: [string, QueuedRefresh] | null = null;
    for (const entry of queue) if (!most || entry[1].requests > most[1].requests) most = entry;
    if (!most) return null;
    queue.delete(most[0]);
    return most[1];
  }

  return {
    add(key: string, run: () => Promise<void>): void {
      const queued = queue.get(key);
      if (queued) queued.requests++;
      else if (queue.size < MAX_QUEUE_LENGTH && !isClosed) queue.set(key, { run, requests: 1 });
      startNext();
    },
    get waiting() {
      return queue.size;
    },
    close(): void {
      isClosed = true;
      queue.clear();
    },
  };
}
