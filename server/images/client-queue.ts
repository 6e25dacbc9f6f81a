import { Overloaded } from '#server/errors.ts';
import { after } from '#server/time.ts';

/** Jobs that run at once: each holds an original of at most `MAX_ORIGINAL_BYTES`. */
const MAX_RUNNING = 8;
/** Jobs that wait, some tens of milliseconds each. */
const MAX_WAITING = 400;
/** Those of one client. */
const MAX_RUNNING_PER_CLIENT = 2;
/** More than a page asks for at once where a proxy speaks HTTP/2: the home page 23, before its reader scrolls. */
const MAX_WAITING_PER_CLIENT = 40;

interface Job<T> {
  work: () => Promise<T>;
  result: PromiseWithResolvers<T>;
  /** Requests that wait for it, by client. */
  requests: Map<string, number>;
}

/**
 * Creates a queue of jobs in which each client has a share: two of its jobs run, forty wait, and the next is `Overloaded`.
 * Requests for one key share a job (single-flight). It runs on the share of any of their clients, first come, first
 * served, and is dropped when all of them have left before it runs. `maxWaitMs`: how long a request waits for its job.
 */
export function createClientQueue<T>(maxWaitMs: number) {
  const waiting = new Map<string, Job<T>>();
  const running = new Map<string, Job<T>>();
  /** Running jobs, by the client on whose share they run. */
  const shares = new Map<string, number>();

  const mayRun = (client: string) => (shares.get(client) ?? 0) < MAX_RUNNING_PER_CLIENT;

  function isFullFor(client: string): boolean {
    if (running.size < MAX_RUNNING && mayRun(client)) return false;
    const own = [...waiting.values()].filter(({ requests }) => requests.has(client));
    return waiting.size >= MAX_WAITING || own.length >= MAX_WAITING_PER_CLIENT;
  }

  function startNext(): void {
    for (const [key, job] of waiting) {
      if (running.size >= MAX_RUNNING) return;
      const client = [...job.requests.keys()].find(mayRun);
      if (client !== undefined) void start(key, job, client);
    }
  }

  async function start(key: string, job: Job<T>, client: string): Promise<void> {
    waiting.delete(key);
    running.set(key, job);
    add(shares, client, 1);
    await job.work().then(job.result.resolve, job.result.reject);
    running.delete(key);
    add(shares, client, -1);
    startNext();
  }

  function joinOrQueue(key: string, client: string, work: () => Promise<T>): Job<T> {
    const job = running.get(key) ?? waiting.get(key);
    if (job !== undefined) return job;
    if (isFullFor(client)) throw new Overloaded();
    const queued: Job<T> = { work, result: Promise.withResolvers(), requests: new Map() };
    // All who wait for it may have left.
    queued.result.promise.catch(() => undefined);
    waiting.set(key, queued);
    return queued;
  }

  return {
    /**
     * Resolves with the result of the key's job, or of `work` where there is none. Rejects with what the job rejects with,
     * or with `Overloaded`: the client's share or the queue is full, the wait is too long, or the client left (`signal`).
     */
    async run(key: string, client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const job = joinOrQueue(key, client, work);
      add(job.requests, client, 1);
      startNext();
      const { promise: end, reject } = Promise.withResolvers<never>();
      const leave = () => reject(new Overloaded());
      const timer = after(maxWaitMs, leave);
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
      try {
        return await Promise.race([job.result.promise, end]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        add(job.requests, client, -1);
        if (job.requests.size === 0 && waiting.get(key) === job) waiting.delete(key);
      }
    },
  };
}

/** Adds to a count. A count of 0 goes. */
function add(counts: Map<string, number>, name: string, more: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
