import { beforeEach, describe, expect, it } from 'vitest';
import { type CacheOutcome, cacheStatus } from '#server/cache/cache-status.ts';
import { type ContentCache, createContentCache, STALE_WAIT_MS } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import type { Resource } from '#shared/models/resources-and-policies.ts';
import { type FakeClock, fakeClock } from '../../../tests/fixtures/clocks.ts';
import { buildCachedResponseSync } from './encoded-bodies.ts';
import { type Built, createResponseCache, type ResponseCache } from './response-cache.ts';

const NEVER = new Promise<never>(() => undefined);

/** Seconds. The page is built from a topic and advertisements. */
const TOPIC = { ttl: 10, swr: 20, sie: 30 };
const ADS = { ttl: 60, swr: 20, sie: 30 };

let clock: FakeClock;
let content: ContentCache;
let responses: ResponseCache<null>;
let loads: Map<string, PromiseWithResolvers<string>>;
let upstream: Record<string, string>;
/** What a load does: resolves at once, waits for `loads`, or rejects. */
let how: 'at once' | 'held' | 'fails';

beforeEach(() => {
  clock = fakeClock({ monotonic: 1_000_000 });
  loads = new Map();
  upstream = { topic: 'one', ads: 'two' };
  how = 'at once';
  content = createContentCache({
    policies: { ...DEFAULT_POLICIES, topic: TOPIC, ads: ADS },
    maxBytes: 1e6,
    clock,
    random: () => 0.5,
  });
  responses = createResponseCache<null>({ content, maxBytes: 1e6, clock });
});

const pass = (seconds: number) => {
  clock.monotonicMs += seconds * 1000;
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

function load(key: string): Promise<string> {
  if (how === 'fails') return Promise.reject(new Error('down'));
  if (how === 'at once') return Promise.resolve(upstream[key] ?? '');
  const held = Promise.withResolvers<string>();
  loads.set(key, held);
  return held.promise;
}

function release(key: string): Promise<unknown> {
  loads.get(key)?.resolve(upstream[key] ?? '');
  return settle();
}

const read = (resource: Resource, tracker: DependencyTracker) =>
  content.read({ resource, key: resource, tags: () => [], load: () => load(resource) }, tracker);

async function build(tracker: DependencyTracker): Promise<Built<null>> {
  const text = (await Promise.all([read('topic', tracker), read('ads', tracker)])).join(' ');
  return { kind: 'response', response: buildCachedResponseSync(200, 'text/plain', text), extra: null };
}

/** The page's cache outcome. */
async function get(make: (tracker: DependencyTracker) => Promise<Built<null>> = build): Promise<string> {
  return statusOf(await responses.get('/page', make));
}

const statusOf = ({ outcome }: { outcome: CacheOutcome }) => cacheStatus('page', outcome);

/** Counts of a resource that are not 0. */
function counts(resource: Resource) {
  const { hits, staleHits, misses, coalesced, refreshes, errors } = content.stats()[resource];
  const all = Object.entries({ hits, staleHits, misses, coalesced, refreshes, errors });
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

describe('a response with several dependencies', () => {
  it('credits each of them as what it is when the response is served, fresh or stale', async () => {
    await get();
    pass(9);
    expect(await get()).toBe('page; hit; ttl=1');
    pass(4);
    how = 'held';
    expect(await get()).toBe('page; hit; ttl=-3');
    expect(await get()).toBe('page; hit; ttl=-3');
    // The refresh ends before its stale hits are credited.
    await release('topic');
    expect(await get()).toBe('page; hit; ttl=10');
    expect(counts('topic')).toEqual({ misses: 1, hits: 2, staleHits: 2, refreshes: 1 });
    expect(counts('ads')).toEqual({ misses: 1, hits: 4 });
  });

  it('credits a dependency that goes stale a moment after another', async () => {
    content.policies.set('ads', { ttl: 10.02 });
    await get();
    how = 'held';
    pass(10.01);
    expect(await get()).toBe('page; hit; ttl=-1');
    pass(0.01);
    await get();
    expect(counts('topic')).toMatchObject({ staleHits: 2 });
    expect(counts('ads')).toEqual({ misses: 1, hits: 1, staleHits: 1, refreshes: 1 });
  });

  it('is fresh again as soon as a load brings the same, within the same moment', async () => {
    await get();
    pass(11);
    expect(await get()).toBe('page; hit; ttl=-1');
    await settle();
    expect(await get()).toBe('page; hit; ttl=10');
    expect(counts('topic')).toEqual({ misses: 1, staleHits: 1, hits: 1, refreshes: 1 });
  });

  it.each([
    ['a hard purge', () => content.purge({ all: true })],
    ['a soft purge', () => content.purge({ all: true, soft: true })],
    ['another policy', () => content.policies.set('topic', { ttl: 1 })],
    ['a mode', () => content.mode.set({ mode: 'freeze' })],
    ['the end of its memory', () => responses.drop('/page')],
  ])('was a fresh hit for those it was served to before %s', async (_, change) => {
    await get();
    pass(5);
    await get();
    change();
    pass(1);
    how = 'held';
    void get();
    expect(counts('topic')['hits'] ?? 0).toBeGreaterThanOrEqual(1);
    expect(counts('ads')['hits'] ?? 0).toBeGreaterThanOrEqual(1);
  });

  it('is fresh again when the mode ends that made it stale', async () => {
    await get();
    content.mode.set({ mode: 'normal', ttlFactor: 0.1, forSeconds: 3 });
    how = 'held';
    pass(2);
    expect(await get()).toBe('page; hit; ttl=-1');
    pass(1);
    expect(await get()).toBe('page; hit; ttl=7');
    expect(counts('topic')).toMatchObject({ staleHits: 1, hits: 1 });
  });

  it('has its full ttl again when the mode ends that shortened it', async () => {
    await get();
    content.mode.set({ mode: 'normal', ttlFactor: 0.5, forSeconds: 2 });
    expect(await get()).toBe('page; hit; ttl=5');
    pass(3);
    expect(await get()).toBe('page; hit; ttl=7');
  });

  it('has the ttl of data that is fresh for days', async () => {
    content.policies.set('topic', { ttl: 86_400 });
    content.policies.set('ads', { ttl: 86_400 });
    await get();
    pass(1);
    expect(await get()).toBe('page; hit; ttl=86399');
  });

  it('has an integer ttl if it has no dependencies, also after a change of policies', async () => {
    const bare = async (): Promise<Built<null>> => ({
      kind: 'response',
      response: buildCachedResponseSync(200, 'text/plain', 'nothing'),
      extra: null,
    });
    await get(bare);
    content.policies.set('topic', { ttl: 1 });
    pass(1);
    expect(await get(bare)).toBe('page; hit; ttl=3600');
  });
});

describe('the cache status of a response that was built', () => {
  it('is fwd=miss for data that was not cached', async () => {
    expect(await get()).toBe('page; fwd=miss');
  });

  it('is fwd=stale for data that was too old, whether the load succeeds or the old value is served', async () => {
    await get();
    pass(31);
    expect(await get()).toBe('page; fwd=stale');
    pass(31);
    how = 'fails';
    expect(await get()).toBe('page; fwd=stale');
    expect(counts('topic')).toEqual({ misses: 2, staleHits: 1, errors: 1 });
  });

  it('is fwd=stale where the load is slow, and a hit for those who do not wait for it', async () => {
    await get();
    pass(31);
    how = 'held';
    expect(await get()).toBe('page; fwd=stale');
    clock.monotonicMs += STALE_WAIT_MS;
    expect(await get()).toBe('page; hit; ttl=-21');
  });

  it('is a hit for a value that is served because a load has just failed', async () => {
    await get();
    pass(31);
    how = 'fails';
    await get();
    pass(2);
    expect(await get()).toBe('page; hit; ttl=-23');
    expect(counts('topic')).toMatchObject({ staleHits: 2 });
  });

  it('is a hit for a page that was rendered from cached data, with the ttl of that data', async () => {
    await get();
    responses.drop('/page');
    pass(4);
    expect(await get()).toBe('page; hit; ttl=6');
    responses.drop('/page');
    how = 'held';
    pass(8);
    expect(await get()).toBe('page; hit; ttl=-2');
    expect(counts('topic')).toEqual({ misses: 1, hits: 1, staleHits: 1, refreshes: 1 });
  });

  it('is fwd=miss for a load that brought nothing', async () => {
    how = 'fails';
    const failing = async (tracker: DependencyTracker): Promise<Built<null>> => {
      await read('topic', tracker).catch(() => tracker.markIncomplete(NEVER));
      return { kind: 'response', response: buildCachedResponseSync(200, 'text/plain', ''), extra: null };
    };
    expect(await get(failing)).toBe('page; fwd=miss');
  });

  it.each([
    ['an error', { kind: 'response', response: buildCachedResponseSync(503, 'text/plain', ''), extra: null }],
    ['a redirect', { kind: 'redirect', location: '/404', status: 302 }],
  ] satisfies [string, Built<null>][])(
    'is fwd=miss for %s, although its data was there',
    async (_, built) => {
      await get();
      responses.drop('/page');
      const status = await get(async (tracker) => {
        await build(tracker);
        return built;
      });
      expect(status).toBe('page; fwd=miss');
    },
  );

  it('is the same for all coalesced requests, which are credited alike', async () => {
    await read('ads', new DependencyTracker());
    how = 'held';
    const requests = [get(), get(), get()];
    await settle();
    await release('topic');
    expect(await Promise.all(requests)).toEqual(Array.from({ length: 3 }, () => 'page; fwd=miss'));
    expect(counts('topic')).toEqual({ misses: 1, coalesced: 2 });
    expect(counts('ads')).toEqual({ misses: 1, hits: 3 });
  });
});

describe('an incomplete page', () => {
  const partial = async (tracker: DependencyTracker): Promise<Built<null>> => {
    tracker.markIncomplete(NEVER);
    return build(tracker);
  };

  it('is checked when its data goes stale, not only when it is rebuilt', async () => {
    content.policies.set('topic', { ttl: 2 });
    await get(partial);
    pass(1);
    expect(await get(partial)).toBe('page; hit; ttl=1');
    how = 'held';
    pass(2);
    expect(await get(partial)).toBe('page; hit; ttl=-1');
    expect(loads.has('topic')).toBe(true);
    expect(counts('topic')).toEqual({ misses: 1, hits: 1, staleHits: 1, refreshes: 1 });
  });

  it('credits no data that came too late for it', async () => {
    how = 'held';
    const late = async (tracker: DependencyTracker): Promise<Built<null>> => {
      void read('topic', tracker);
      tracker.markIncomplete(NEVER);
      return { kind: 'response', response: buildCachedResponseSync(200, 'text/plain', ''), extra: null };
    };
    await get(late);
    await release('topic');
    expect(await get(late)).toMatch(/^page; hit/);
    expect(counts('topic')).toEqual({ misses: 1 });
  });
});
