import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadLimit } from './rate-limit.ts';
import {
  createRateLimitStores,
  MAX_CLIENTS,
  RateLimitStore,
  type SharedWindows,
  WINDOW_MS,
} from './rate-limit-store.ts';

/** Counts a request. Returns its client's requests so far, and the milliseconds until the window ends. */
function incr(store: RateLimitStore, client: string): Promise<{ current: number; ttl: number } | undefined> {
  return new Promise((resolve) => store.incr(client, (_error, counted) => resolve(counted)));
}

/** A request as the site handles it: admitted by the front cache, or refused by the plugin. */
async function isAllowed(store: RateLimitStore, max: number, client: string): Promise<boolean> {
  if (store.countUpTo(max, client)) return true;
  const counted = await incr(store, client);
  return counted !== undefined && counted.current <= max;
}

describe('a window', () => {
  it('is a minute from a client’s first request', async () => {
    let now = 1_000;
    const store = new RateLimitStore({ clock: () => now });
    expect(await incr(store, 'one')).toEqual({ current: 1, ttl: WINDOW_MS });
    now = 60_999;
    expect(await incr(store, 'one')).toEqual({ current: 2, ttl: 1 });
    expect(await incr(store, 'other')).toEqual({ current: 1, ttl: WINDOW_MS });
    now = 61_000;
    expect(await incr(store, 'one')).toEqual({ current: 1, ttl: WINDOW_MS });
  });

  it('counts each request once, whether the front cache or the plugin handles it', async () => {
    const store = new RateLimitStore({ clock: () => 0 });
    expect(store.countUpTo(2, 'one')).toBe(true);
    expect(await incr(store, 'one')).toMatchObject({ current: 2 });
    expect(store.countUpTo(2, 'one')).toBe(false);
    expect(await incr(store, 'one')).toMatchObject({ current: 3 });
  });

  it('ends for a client that keeps asking 200 times a second', async () => {
    let now = 0;
    const store = new RateLimitStore({ clock: () => now });
    const allowed = [0, 0, 0];
    for (; now < 3 * WINDOW_MS; now += 5) {
      const minute = Math.floor(now / WINDOW_MS);
      if (await isAllowed(store, 1_200, 'one')) allowed[minute] = (allowed[minute] ?? 0) + 1;
    }
    expect(allowed).toEqual([1_200, 1_200, 1_200]);
  });
});

describe('a flood of distinct clients', () => {
  it('evicts the least recently seen, and none that goes on sending requests', async () => {
    const store = new RateLimitStore({ clock: () => 0 });
    await incr(store, 'quiet');
    await incr(store, 'busy');
    for (let i = 0; i < MAX_CLIENTS; i++) {
      await incr(store, `flood-${i}`);
      if (i % 1_000 === 0) await incr(store, 'busy');
    }
    expect(await incr(store, 'busy')).toMatchObject({ current: 22 });
    expect(await incr(store, 'quiet')).toMatchObject({ current: 1 });
  });

  it('in one bucket changes nothing in the others', async () => {
    const stores = createRateLimitStores(() => 0);
    await incr(stores.write, 'one');
    for (let i = 0; i <= MAX_CLIENTS; i++) await incr(stores.read, `flood-${i}`);
    expect(await incr(stores.write, 'one')).toMatchObject({ current: 2 });
    expect(await incr(stores.beacon, 'one')).toMatchObject({ current: 1 });
  });

  it.each([
    ['IPv4', (i: number) => `203.0.${100 + (i >> 7)}.${100 + (i & 127)}`],
    ['IPv6', (i: number) => `2001:db8:${(i + 4_096).toString(16)}:1::1`],
  ])('does not keep the headers in memory that their IPs are a substring of, %s', (_family, ip) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    const stores = createRateLimitStores(() => 0);
    const allows = createReadLimit({ read: 10, write: 10, beacon: 10 }, stores);
    const used = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    for (let i = 0; i < 4_000; i++) {
      const header = `${'junk, '.repeat(2_000)}${ip(i)}`;
      allows(header.slice(header.lastIndexOf(' ') + 1));
    }
    expect(used() - before).toBeLessThan(8_000_000);
  });
});

/** Redis, as several instances see it. `latenciesMs`: of the ways there and back in turn; all that is sent at once arrives at once. */
function createFakeRedis(windowMs: number, latenciesMs: readonly number[]) {
  const windows = new Map<string, { requests: number; endsAt: number }>();
  let onTheWay: (() => void)[] = [];
  let ways = 0;

  function travel(): Promise<void> {
    if (onTheWay.length === 0) {
      setTimeout(
        () => {
          const arrived = onTheWay;
          onTheWay = [];
          for (const arrive of arrived) arrive();
        },
        latenciesMs[ways++ % latenciesMs.length],
      );
    }
    return new Promise((resolve) => onTheWay.push(resolve));
  }

  const redis = {
    isUp: true,
    reports: 0,
    windows: {
      async add(counts) {
        redis.reports++;
        if (!redis.isUp) return null;
        await travel();
        const now = performance.now();
        const found = counts.map(({ client, requests }) => {
          let window = windows.get(client);
          if (window === undefined || now >= window.endsAt) {
            window = { requests: 0, endsAt: now + windowMs };
            windows.set(client, window);
          }
          window.requests += requests;
          return [window.requests, Math.floor(window.endsAt - now)] as const;
        });
        await travel();
        return found;
      },
    } satisfies SharedWindows,
  };
  return redis;
}

describe('with Redis', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const clock = () => performance.now();
  const STEP_MS = 5;

  /** Sends to each instance every 5 ms. Returns how many requests were admitted, and the longest time without any. */
  async function askAll(stores: readonly RateLimitStore[], max: number, ms: number) {
    const refusedSince = new Map<RateLimitStore, number>();
    let allowed = 0;
    let longestRefusal = 0;
    for (const until = clock() + ms; clock() < until; await vi.advanceTimersByTimeAsync(STEP_MS)) {
      for (const store of stores) {
        if (await isAllowed(store, max, 'one')) {
          allowed++;
          refusedSince.delete(store);
          continue;
        }
        const since = refusedSince.get(store) ?? clock();
        refusedSince.set(store, since);
        longestRefusal = Math.max(longestRefusal, clock() - since);
      }
    }
    return { allowed, longestRefusal };
  }

  it('a client that sends 200 requests a second to two instances is admitted again when its window ends', async () => {
    const windowMs = 3_000;
    const minutes = 5;
    const max = 200;
    const slowestMs = 60;
    const latencies = fc.array(fc.integer({ min: 0, max: slowestMs }), { minLength: 2, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(latencies, fc.integer({ min: 0, max: 150 }), async (latenciesMs, aloneMs) => {
        const { windows } = createFakeRedis(windowMs, latenciesMs);
        const create = () => new RateLimitStore({ clock, windowMs, shared: windows });
        const [first, second] = [create(), create()];
        const alone = await askAll([first], max, aloneMs);
        const both = await askAll([first, second], max, minutes * windowMs - aloneMs);
        // An instance learns of a new window, and of another's requests, by its next report.
        const lateMs = 100 + 2 * slowestMs + 2 * STEP_MS;
        expect(both.longestRefusal).toBeLessThan(windowMs + lateMs);
        const inAWindow = max + 2 * (lateMs / STEP_MS);
        expect(alone.allowed + both.allowed).toBeLessThanOrEqual((minutes + 1) * inAWindow);
        expect(alone.allowed + both.allowed).toBeGreaterThanOrEqual((minutes - 1) * max);
      }),
      { numRuns: 20, seed: 18 },
    );
  });

  it('each of two instances learns the count of the other, and no read waits for it', async () => {
    const { windows } = createFakeRedis(WINDOW_MS, [5]);
    const stores = [1, 2].map(() => createRateLimitStores(clock, () => windows).read);
    const [first, second] = stores;
    if (!first || !second) throw new Error('there are two');
    for (let i = 0; i < 30; i++) expect(first.countUpTo(30, 'one')).toBe(true);
    expect(second.countUpTo(30, 'one')).toBe(true);
    await vi.advanceTimersByTimeAsync(150);
    expect([first.countUpTo(30, 'one'), second.countUpTo(30, 'one')]).toEqual([false, false]);
  });

  it('counts requests that come during a report', async () => {
    const { windows } = createFakeRedis(WINDOW_MS, [50]);
    const store = new RateLimitStore({ clock, shared: windows });
    store.countUpTo(30, 'one');
    await vi.advanceTimersByTimeAsync(150);
    for (let i = 1; i < 30; i++) store.countUpTo(30, 'one');
    await vi.advanceTimersByTimeAsync(60);
    expect(store.countUpTo(30, 'one')).toBe(false);
  });

  it('reports a flood of clients in parts, one after the other', async () => {
    const { windows } = createFakeRedis(WINDOW_MS, [5]);
    const underWay: number[] = [];
    let calls = 0;
    const add: SharedWindows['add'] = async (counts) => {
      underWay.push(counts.length);
      expect(underWay).toHaveLength(1);
      expect(underWay[0]).toBeLessThanOrEqual(500);
      calls++;
      const found = await windows.add(counts);
      underWay.pop();
      return found;
    };
    const store = new RateLimitStore({ clock, shared: { add } });
    for (let i = 0; i < 1_200; i++) store.countUpTo(10, `client-${i}`);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toBe(3);
    expect(await incr(store, 'client-1199')).toMatchObject({ current: 2 });
  });

  it('reports many clients in one call, each request once', async () => {
    const redis = createFakeRedis(WINDOW_MS, [5]);
    const store = new RateLimitStore({ clock, shared: redis.windows });
    for (let i = 0; i < 300; i++) store.countUpTo(10, `client-${i % 100}`);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(redis.reports).toBe(1);
    expect(await incr(store, 'client-7')).toMatchObject({ current: 4 });
  });

  it('admits concurrent posts up to the limit, and no further', async () => {
    const { windows } = createFakeRedis(WINDOW_MS, [5]);
    const create = () => createRateLimitStores(clock, () => windows).write;
    const [first, second] = [create(), create()];
    const posts = Array.from({ length: 50 }, (_, i) => incr(i % 2 === 0 ? first : second, 'one'));
    await vi.advanceTimersByTimeAsync(20);
    const counted = (await Promise.all(posts)).map((post) => post?.current);
    expect(counted.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('each instance counts for itself while Redis is down, and windows end', async () => {
    const redis = createFakeRedis(WINDOW_MS, [5]);
    redis.isUp = false;
    const { read, write } = createRateLimitStores(clock, () => redis.windows);
    expect(await askAll([read], 30, 10_000)).toMatchObject({ allowed: 30 });
    for (const current of [1, 2, 3]) expect(await incr(write, 'one')).toMatchObject({ current });
    await vi.advanceTimersByTimeAsync(WINDOW_MS);
    expect(read.countUpTo(30, 'one')).toBe(true);
    expect(await incr(write, 'one')).toMatchObject({ current: 1 });
  });

  it('admits a client again whose window is gone from Redis', async () => {
    const redis = createFakeRedis(200, [5]);
    const store = new RateLimitStore({ clock, shared: redis.windows });
    await askAll([store], 10, 150);
    expect(store.countUpTo(10, 'one')).toBe(false);
    await incr(store, 'one');
    await vi.advanceTimersByTimeAsync(500);
    expect(store.countUpTo(10, 'one')).toBe(true);
  });
});

it('no response waits for a report', async () => {
  const add = vi.fn(async () => null);
  const store = new RateLimitStore({ clock: () => performance.now(), shared: { add } });
  store.countUpTo(10, 'one');
  expect(add).not.toHaveBeenCalled();
  await expect.poll(() => add).toHaveBeenCalledWith([{ client: 'one', requests: 1 }], expect.any(Number));
});
