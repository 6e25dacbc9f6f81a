/** Refreshes at once, at most; more would turn an upstream's return into a storm (faults: upstream back). */
const AT_ONCE = 64;

/** Waiting refreshes, at most. One that is dropped comes again with its next reader. */
const WAITING = 5_000;

interface Job {
  run: () => Promise<void>;
  asked: number;
}

/** Runs background refreshes with bounded concurrency, those that were asked for most often first. */
export function createBackgroundRefresh(atOnce = AT_ONCE) {
  const waiting = new Map<string, Job>();
  let running = 0;
  let closed = false;

  function next(): void {
    while (running < atOnce && !closed) {
      const hottest = takeHottest();
      if (!hottest) return;
      running++;
      void hottest.run().finally(() => {
        running--;
        next();
      });
    }
  }

  function takeHottest(): Job | null {
    let best: [string, Job] | null = null;
    for (const entry of waiting) if (!best || entry[1].asked > best[1].asked) best = entry;
    if (!best) return null;
    waiting.delete(best[0]);
    return best[1];
  }

  return {
    add(key: string, run: () => Promise<void>): void {
      const known = waiting.get(key);
      if (known) known.asked++;
      else if (waiting.size < WAITING && !closed) waiting.set(key, { run, asked: 1 });
      next();
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting.size;
    },
    close(): void {
      closed = true;
      waiting.clear();
    },
  };
}
