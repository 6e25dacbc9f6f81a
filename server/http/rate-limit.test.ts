import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import {
  clientOf,
  createRateLimitStore,
  createRateLimitStores,
  MAX_CLIENTS,
  type RateLimitStore,
  type SharedWindows,
  WINDOW_MS,
} from './rate-limit.ts';

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
    const clock = fakeClock({ monotonic: 1_000 });
    const store = createRateLimitStore(clock);
    expect(await incr(store, 'one')).toEqual({ current: 1, ttl: WINDOW_MS });
    clock.monotonicMs = 60_999;
    expect(await incr(store, 'one')).toEqual({ current: 2, ttl: 1 });
    expect(await incr(store, 'other')).toEqual({ current: 1, ttl: WINDOW_MS });
    clock.monotonicMs = 61_000;
    expect(await incr(store, 'one')).toEqual({ current: 1, ttl: WINDOW_MS });
  });

  it('counts each request once, whether the front cache or the plugin handles it', async () => {
    const store = createRateLimitStore(fakeClock());
    expect(store.countUpTo(2, 'one')).toBe(true);
    expect(await incr(store, 'one')).toMatchObject({ current: 2 });
    expect(store.countUpTo(2, 'one')).toBe(false);
    expect(await incr(store, 'one')).toMatchObject({ current: 3 });
  });

  it('ends for a client that keeps asking 200 times a second', async () => {
    const clock = fakeClock();
    const store = createRateLimitStore(clock);
    const allowed = [0, 0, 0];
    for (; clock.monotonicMs < 3 * WINDOW_MS; clock.monotonicMs += 5) {
      const minute = Math.floor(clock.monotonicMs / WINDOW_MS);
      if (await isAllowed(store, 1_200, 'one')) allowed[minute] = (allowed[minute] ?? 0) + 1;
    }
    expect(allowed).toEqual([1_200, 1_200, 1_200]);
  });
});

describe('a flood of distinct clients', () => {
  it('evicts the least recently seen, and none that goes on sending requests', async () => {
    const store = createRateLimitStore(fakeClock());
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
    const stores = createRateLimitStores(fakeClock());
    await incr(stores.write, 'one');
    for (let i = 0; i <= MAX_CLIENTS; i++) await incr(stores.read, `flood-${i}`);
    expect(await incr(stores.write, 'one')).toMatchObject({ current: 2 });
    expect(await incr(stores.beacon, 'one')).toMatchObject({ current: 1 });
  });
});

describe('with Redis', () => {
  it('form posts and beacons are counted there, reads here alone', async () => {
    const asked: string[] = [];
    const stores = createRateLimitStores(fakeClock(), (bucket) => ({
      async count(client) {
        asked.push(`${bucket} ${client}`);
        return { requests: 7, endsInMs: 1_000 };
      },
    }));
    expect(await incr(stores.write, 'one')).toEqual({ current: 7, ttl: 1_000 });
    expect(await incr(stores.beacon, 'one')).toEqual({ current: 7, ttl: 1_000 });
    expect(await incr(stores.read, 'one')).toEqual({ current: 1, ttl: WINDOW_MS });
    expect(asked).toEqual(['write one', 'beacon one']);
  });

  it('each instance counts for itself while Redis is down, also what came before', async () => {
    const clock = fakeClock();
    let isUp = true;
    const shared: SharedWindows = {
      count: async () => (isUp ? { requests: 1, endsInMs: WINDOW_MS } : null),
    };
    const store = createRateLimitStore(clock, shared);
    expect(await incr(store, 'one')).toMatchObject({ current: 1 });
    isUp = false;
    expect(await incr(store, 'one')).toMatchObject({ current: 2 });
    clock.monotonicMs = WINDOW_MS;
    expect(await incr(store, 'one')).toMatchObject({ current: 1 });
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
  ['203.0.113.7:49152', '203.0.113.7'],
  ['[2001:db8:1:2::1]:49152', '2001:db8:1:2::'],
  ['not an address', 'not an address'],
])('the client with the IP %s has the key %s', (ip, client) => {
  expect([clientOf(ip), clientOf(ip)]).toEqual([client, client]);
});
