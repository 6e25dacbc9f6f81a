import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

/** Separate limits: reads, form posts, and beacons, which pages send by themselves. */
export type Bucket = 'read' | 'write' | 'beacon';

/** The windows of one bucket in Redis, shared by all instances. */
export interface SharedWindows {
  /**
   * Adds clients' requests in one call. Resolves with each client's total and the milliseconds until its window ends, or
   * with null if Redis does not respond in time. Never rejects.
   */
  add(
    counts: readonly { client: string; requests: number }[],
    timeoutMs?: number,
  ): Promise<readonly (readonly [requests: number, endsInMs: number])[] | null>;
}

export interface RateLimitStoreOptions {
  /** Monotonic milliseconds. */
  clock: () => number;
  windowMs?: number;
  shared?: SharedWindows | undefined;
  /** True: the response waits for Redis. False: requests are reported to Redis every `REPORT_MS`. */
  waitsForRedis?: boolean;
}

export const WINDOW_MS = 60_000;
/** Clients of one bucket, of whom the least recently seen are evicted. */
export const MAX_CLIENTS = 20_000;
const REPORT_MS = 100;
/** Clients in one report: hashing that many IPs takes a millisecond or two. */
const MAX_REPORTED = 500;
/** No response waits for a report. */
const REPORT_TIMEOUT_MS = 250;

interface Window {
  client: string;
  /** The total of all instances, as far as known. */
  requests: number;
  /** Those of them that were not reported to Redis. */
  unreported: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

/**
 * Counts the requests of each client in one bucket, in a fixed window of a minute that begins with the first request.
 * @fastify/rate-limit and the front cache count in the same store. With Redis the window in Redis is authoritative. While
 * Redis is down each instance counts for itself.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  readonly #options: RateLimitStoreOptions;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });
  readonly #unreported = new Set<Window>();
  #isReporting = false;

  constructor(options: RateLimitStoreOptions) {
    this.#options = options;
  }

  /** Counts a request and returns true, unless its client has reached `max`: then `incr` counts it, when Fastify refuses it. */
  countUpTo(max: number, client: string): boolean {
    const window = this.#windowOf(client);
    if (window.requests >= max) return false;
    this.#count(window);
    return true;
  }

  /** Counts a request. Calls back synchronously unless `waitsForRedis`. */
  incr(client: string, callback: Parameters<FastifyRateLimitStore['incr']>[1]): void {
    const { clock, shared, waitsForRedis } = this.#options;
    const window = this.#windowOf(client);
    this.#count(window);
    const counted = window.requests;
    const done = (current: number): void =>
      callback(null, { current, ttl: Math.max(1, window.endsAt - clock()) });
    if (!shared || !waitsForRedis) done(counted);
    else void this.#report(shared, [window]).then((found) => done(found?.[0]?.[0] ?? counted));
  }

  child(): this {
    return this;
  }

  #windowOf(client: string): Window {
    const { clock, windowMs = WINDOW_MS } = this.#options;
    const now = clock();
    let window = this.#windows.get(client);
    if (window === undefined) {
      window = { client: detach(client), requests: 0, unreported: 0, endsAt: now + windowMs };
      this.#windows.set(window.client, window);
    } else if (now >= window.endsAt) {
      window.requests = 0;
      window.endsAt = now + windowMs;
    }
    return window;
  }

  #count(window: Window): void {
    const { shared, waitsForRedis } = this.#options;
    window.requests++;
    if (!shared) return;
    window.unreported++;
    if (waitsForRedis || this.#unreported.size >= MAX_CLIENTS) return;
    this.#unreported.add(window);
    if (!this.#isReporting) this.#reportSoon(shared);
  }

  #reportSoon(shared: SharedWindows): void {
    this.#isReporting = true;
    setTimeout(() => void this.#reportAll(shared), REPORT_MS).unref();
  }

  /** One report at a time, in parts: a flood of clients blocks neither Redis nor this process. */
  async #reportAll(shared: SharedWindows): Promise<void> {
    const windows = [...this.#unreported];
    this.#unreported.clear();
    for (let from = 0; from < windows.length; from += MAX_REPORTED)
      await this.#report(shared, windows.slice(from, from + MAX_REPORTED), REPORT_TIMEOUT_MS);
    this.#isReporting = false;
    if (this.#unreported.size > 0) this.#reportSoon(shared);
  }

  /** Reports to Redis and adopts its totals. If it does not respond, the requests stay counted here alone. */
  async #report(shared: SharedWindows, windows: readonly Window[], timeoutMs?: number) {
    const counts = windows.map(({ client, unreported }) => ({ client, requests: unreported }));
    for (const window of windows) window.unreported = 0;
    const found = await shared.add(counts, timeoutMs);
    for (const [i, window] of windows.entries()) {
      const [requests, endsInMs] = found?.[i] ?? [];
      if (requests === undefined || endsInMs === undefined) break;
      // Only what is not reported yet is added: the window in Redis may be a new one.
      window.requests = requests + window.unreported;
      window.endsAt = this.#options.clock() + endsInMs;
    }
    return found;
  }
}

/** Copies a text, because V8 keeps the whole text that a substring is cut from alive, here a header of up to 16 KiB. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}

export type RateLimitStores = Readonly<Record<Bucket, RateLimitStore>>;

/** Makes the stores of all buckets. Those of form posts and beacons wait for Redis: these are few, and their limits small. */
export function createRateLimitStores(
  clock: () => number,
  windowsOf?: (bucket: Bucket) => SharedWindows,
): RateLimitStores {
  const create = (bucket: Bucket) =>
    new RateLimitStore({ clock, shared: windowsOf?.(bucket), waitsForRedis: bucket !== 'read' });
  return { read: create('read'), write: create('write'), beacon: create('beacon') };
}
