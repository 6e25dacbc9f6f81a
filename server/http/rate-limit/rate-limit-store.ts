import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

/** Separate limits: reads, form posts, and beacons, which pages send by themselves. */
export type Bucket = 'read' | 'write' | 'beacon';

/** The windows of one bucket in Redis, in which all instances count. */
export interface SharedWindows {
  /** Counts a request. Resolves with its client's total, or with null if Redis does not respond in time. Never rejects. */
  count(client: string): Promise<{ requests: number; endsInMs: number } | null>;
}

export interface RateLimitStoreOptions {
  /** Monotonic milliseconds. */
  clock: () => number;
  shared?: SharedWindows | undefined;
}

export const WINDOW_MS = 60_000;
/** Clients of one bucket, of whom the least recently seen are evicted. */
export const MAX_CLIENTS = 20_000;

interface Window {
  requests: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

/**
 * Counts the requests of each client in one bucket, in a fixed window of a minute that begins with the first request.
 * @fastify/rate-limit and the front cache count in the same store. Where instances count together, this one's own count
 * takes the place of theirs while Redis is away: nobody is ever without a limit.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  readonly #options: RateLimitStoreOptions;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });

  constructor(options: RateLimitStoreOptions) {
    this.#options = options;
  }

  /** Counts a request and returns true, unless its client has reached `max`: then `incr` counts it, when Fastify refuses it. */
  countUpTo(max: number, client: string): boolean {
    const window = this.#windowOf(client);
    if (window.requests >= max) return false;
    window.requests++;
    return true;
  }

  /** Counts a request. Calls back synchronously unless instances count together. */
  incr(client: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
    const { clock, shared } = this.#options;
    const window = this.#windowOf(client);
    window.requests++;
    const own = { requests: window.requests, endsInMs: window.endsAt - clock() };
    const done = ({ requests, endsInMs }: typeof own): void =>
      callback(null, { current: requests, ttl: Math.max(1, endsInMs) });
    if (shared) void shared.count(client).then((counted) => done(counted ?? own));
    else done(own);
  }

  child(): this {
    return this;
  }

  #windowOf(client: string): Window {
    const now = this.#options.clock();
    let window = this.#windows.get(client);
    if (window === undefined) {
      window = { requests: 0, endsAt: now + WINDOW_MS };
      this.#windows.set(detach(client), window);
    } else if (now >= window.endsAt) {
      window.requests = 0;
      window.endsAt = now + WINDOW_MS;
    }
    return window;
  }
}

/** Copies a text, because V8 keeps the whole text that a substring is cut from alive, here a header of up to 16 KiB. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}

export type RateLimitStores = Readonly<Record<Bucket, RateLimitStore>>;

/** Makes the stores of all buckets. Instances count form posts and beacons together, and reads each for itself. */
export function createRateLimitStores(
  clock: () => number,
  windowsOf?: (bucket: Bucket) => SharedWindows,
): RateLimitStores {
  const create = (shared?: SharedWindows) => new RateLimitStore({ clock, shared });
  return {
    read: create(),
    write: create(windowsOf?.('write')),
    beacon: create(windowsOf?.('beacon')),
  };
}
