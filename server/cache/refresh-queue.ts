/** Refreshes at once, at most; more would turn an upstream's return into a storm (faults: upstream back). */
const AT_ONCE = 64;

/** Waiting refreshes, at most. One that is dropped comes again with its next reader. */
const WAITING = 5_000;

/** Runs background refreshes with bounded concurrency, those that were asked for most often first. */
export function createRefreshQueue(atOnce = AT_ONCE) {
  const waiting = new Map<string, { run: () => Promise<void>; asked: number }>();
  let running = 0;
  let closed = false;

  function next(): void {
    while (running < atOnce && waiting.size > 0 && !closed) {
      const [key, job] = hottest();
      waiting.delete(key);
      running++;
      void job.run().finally(() => {
        running--;
        next();
      });
    }
  }

  function hottest(): [string, { run: () => Promise<void>; asked: number }] {
    let best: [string, { run: () => Promise<void>; asked: number }] | null = null;
    for (const job of waiting) if (!best || job[1].asked > best[1].asked) best = job;
    if (!best) throw new Error('the queue is empty');
    return best;
  }

  return {
    add(key: string, run: () => Promise<void>): void {
      const known = waiting.get(key);
      if (known) known.asked++;
      else if (waiting.size < WAITING && !closed) waiting.set(key, { run, asked: 1 });
      next();
    },
    close(): void {
      closed = true;
      waiting.clear();
    },
  };
}
