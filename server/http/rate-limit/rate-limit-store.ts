import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';

/** What a rate limit counts apart: reads, form posts, and what pages send by themselves. */
export type Bucket = 'read' | 'write' | 'beacon';

/** The windows of one bucket in Redis: all instances count in them. */
export interface SharedWindows {
  /**
   * Adds requests of clients by one call, and resolves with each client's requests and the milliseconds until its window
   * ends; with null where Redis does not respond in time. Never rejects.
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
  /** Whether Redis decides before the response, or learns of requests every `REPORT_MS`. */
  waitsForRedis?: boolean;
}

export const WINDOW_MS = 60_000;
/** Clients of one bucket; more than that push out those that have asked for nothing for longest. */
export const MAX_CLIENTS = 20_000;
const REPORT_MS = 100;
/** Clients that one report names: hashing their addresses takes a millisecond or two. */
const MAX_REPORTED = 500;
/** No response waits for a report. */
const REPORT_TIMEOUT_MS = 250;

interface Window {
  client: string;
  /** What is known of all instances. */
  requests: number;
  /** Of these, what Redis does not know. */
  unreported: number;
  /** Monotonic milliseconds. */
  endsAt: number;
}

/**
 * Counts the requests of each client in one bucket, in the minute that begins with the first of them. The plugin of the
 * rate limit and the front cache count in the same store. With Redis the window is the one there, whatever was counted
 * here: it alone ends it. While Redis is away each instance counts for itself.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  readonly #options: RateLimitStoreOptions;
  readonly #windows = new LRUCache<string, Window>({ max: MAX_CLIENTS });
  readonly #unreported = new Set<Window>();
  #isReporting = false;

  constructor(options: RateLimitStoreOptions) {
    this.#options = options;
  }

  /** Counts a request, unless its client has used up `max`: such a request is left to `incr`, and so counted once. */
  countUpTo(max: number, client: string): boolean {
    const window = this.#windowOf(client);
    if (window.requests >= max) return false;
    this.#count(window);
    return true;
  }

  /** Counts a request. Calls back at once, but where Redis has to decide. */
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

  /** One report at a time, in parts: neither Redis nor this process is held up by a flood of clients. */
  async #reportAll(shared: SharedWindows): Promise<void> {
    const windows = [...this.#unreported];
    this.#unreported.clear();
    for (let from = 0; from < windows.length; from += MAX_REPORTED)
      await this.#report(shared, windows.slice(from, from + MAX_REPORTED), REPORT_TIMEOUT_MS);
    this.#isReporting = false;
    if (this.#unreported.size > 0) this.#reportSoon(shared);
  }

  /** Adds what Redis does not know, and takes over what it says. Where it does not respond, that is counted here alone. */
  async #report(shared: SharedWindows, windows: readonly Window[], timeoutMs?: number) {
    const counts = windows.map(({ client, unreported }) => ({ client, requests: unreported }));
    for (const window of windows) window.unreported = 0;
    const found = await shared.add(counts, timeoutMs);
    for (const [i, window] of windows.entries()) {
      const [requests, endsInMs] = found?.[i] ?? [];
      if (requests === undefined || endsInMs === undefined) break;
      // Nothing counted here is added but what Redis cannot know yet: its window may be a new one.
      window.requests = requests + window.unreported;
      window.endsAt = this.#options.clock() + endsInMs;
    }
    return found;
  }
}

/** A copy of a text that is a part of another: the engine keeps the other, here a header of up to 16 KiB, with it. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}

export type RateLimitStores = Readonly<Record<Bucket, RateLimitStore>>;

/** The stores of all buckets. Form posts and beacons are few, and their limits small: theirs are exact on all instances. */
export function createRateLimitStores(
  clock: () => number,
  windowsOf?: (bucket: Bucket) => SharedWindows,
): RateLimitStores {
  const create = (bucket: Bucket) =>
    new RateLimitStore({ clock, shared: windowsOf?.(bucket), waitsForRedis: bucket !== 'read' });
  return { read: create('read'), write: create('write'), beacon: create('beacon') };
}
