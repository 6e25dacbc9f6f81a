import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Absent } from '#server/cache/cache-query.ts';
import type { CacheOutcome } from '#server/cache/cache-status.ts';
import { type ContentCache, createContentCache } from '#server/cache/content-cache.ts';
import { DependencyTracker } from '#server/cache/dependencies/dependency-tracker.ts';
import { DEFAULT_POLICIES } from '#server/cache/policies.ts';
import { Overloaded } from '#server/errors.ts';
import { type FakeClock, fakeClock } from '../../../tests/fixtures/clocks.ts';
import { buildCachedResponse, type CachedResponse, uncompress } from './encoded-bodies.ts';
import { type Built, createResponseCache, type ResponseCache } from './response-cache.ts';

const NEVER = new Promise<never>(() => undefined);

let clock: FakeClock;
let content: ContentCache;
let responses: ResponseCache<null>;
let builds: number;
let upstream: Record<string, string>;

beforeEach(() => {
  clock = fakeClock({ monotonic: 1_000_000 });
  builds = 0;
  upstream = { a: 'one', b: 'two' };
  const policies = {
    ...DEFAULT_POLICIES,
    topic: { ttl: 10, swr: 100, sie: 1000 },
    ads: { ttl: 60, swr: 100, sie: 1000 },
  };
  content = createContentCache({ policies, maxBytes: 1e6, clock, random: () => 0.5 });
  responses = createResponseCache<null>({ content, maxBytes: 1e6, clock });
});

function read(resource: 'topic' | 'ads', key: string, tracker: DependencyTracker): Promise<string> {
  return content.read(
    { resource, key, tags: () => [`post:${key}`], load: async () => upstream[key] ?? '' },
    tracker,
  );
}

async function build(tracker: DependencyTracker): Promise<Built<null>> {
  builds++;
  const text = `${await read('topic', 'a', tracker)} ${await read('ads', 'b', tracker)}`;
  return { kind: 'response', response: await buildCachedResponse(200, 'text/plain', text), extra: null };
}

async function get(key = '/page', make = build): Promise<{ text: string; outcome: CacheOutcome }> {
  const served = await responses.get(key, make);
  if (served.kind !== 'response') throw new Error('not a response');
  return { text: Buffer.from(uncompress(served.response)).toString(), outcome: served.outcome };
}

/** Waits for running background refreshes. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the response cache', () => {
  it('coalesces concurrent builds of one key', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => get()));
    expect(builds).toBe(1);
    expect(all.every(({ text }) => text === 'one two')).toBe(true);
    expect(all[0]?.outcome.forward).toBe('miss');
  });

  it('serves nobody else what was being built when it was cleared', async () => {
    const held = Promise.withResolvers<void>();
    const before = get('/page', async (tracker) => {
      await held.promise;
      return build(tracker);
    });
    let isCleared = false;
    const cleared = responses.clear().then(() => {
      isCleared = true;
    });
    await settle();
    // A CDN is purged afterwards of what it is sent of before.
    expect(isCleared).toBe(false);
    held.resolve();
    await cleared;
    expect((await before).text).toBe('one two');
    await get();
    expect(builds).toBe(2);
    await get();
    expect(builds).toBe(2);
  });

  it('keeps nothing of the request that a response was built for', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    async function getFor(request: { url: string }): Promise<WeakRef<object>> {
      await get(request.url, (tracker) => (request.url === '/page' ? build(tracker) : Promise.reject()));
      return new WeakRef(request);
    }
    const request = await getFor({ url: '/page' });
    await settle();
    collectGarbage();
    expect(request.deref()).toBeUndefined();
    expect(responses.cached('/page')).not.toBeNull();
  });

  it('is fresh until the first of its data goes stale, and says how long that is', async () => {
    await get();
    clock.monotonicMs += 4_000;
    expect((await get()).outcome).toMatchObject({ forward: null, ttl: 6 });
    expect(builds).toBe(1);
  });

  it('serves the same response after a refresh that changes nothing', async () => {
    await get();
    const first = responses.cached('/page');
    clock.monotonicMs += 11_000;
    await get();
    await settle();
    clock.monotonicMs += 1_000;
    const again = await responses.get('/page', build);
    expect(again.kind === 'response' && first?.kind === 'response' && again.response === first.response).toBe(
      true,
    );
  });

  it('serves a stale response while its data is refreshed, then rebuilds it because the data changed', async () => {
    await get();
    upstream['a'] = 'three';
    clock.monotonicMs += 11_000;
    expect(await get()).toMatchObject({ text: 'one two', outcome: { forward: null, ttl: -1 } });
    await settle();
    clock.monotonicMs += 100;
    expect((await get()).text).toBe('three two');
  });

  it('rebuilds exactly the responses that were built from purged data', async () => {
    await get('/page');
    await get('/other', async (tracker) => {
      builds++;
      return {
        kind: 'response',
        response: await buildCachedResponse(200, 'text/plain', await read('ads', 'b', tracker)),
        extra: null,
      };
    });
    upstream['a'] = 'three';
    content.purge({ tags: ['post:a'] });
    expect((await get('/page')).text).toBe('three two');
    expect(responses.cached('/other')?.outcome.ttl).toBe(60);
    expect(builds).toBe(3);
  });

  it('notices data that changed during the build', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const making = get('/page', async (tracker) => {
      const built = await build(tracker);
      await gate;
      return built;
    });
    await settle();
    content.purge({ all: true });
    upstream['a'] = 'three';
    release();
    await making;
    expect((await get()).text).toBe('three two');
  });

  it('starts another build for requests after a purge', async () => {
    const gate = Promise.withResolvers<void>();
    const making = get('/page', async (tracker) => {
      const built = await build(tracker);
      await gate.promise;
      return built;
    });
    await settle();
    upstream['a'] = 'three';
    content.purge({ all: true });
    expect((await get()).text).toBe('three two');
    gate.resolve();
    await making;
    expect((await get()).text).toBe('three two');
  });

  it('leaves a build alone that has read nothing of what is purged', async () => {
    await read('topic', 'a', new DependencyTracker());
    await read('ads', 'b', new DependencyTracker());
    const slow = Promise.withResolvers<void>();
    const make = async (tracker: DependencyTracker) => {
      builds++;
      const text = await read('topic', 'a', tracker);
      await slow.promise;
      const response = await buildCachedResponse(200, 'text/plain', text);
      return { kind: 'response' as const, response, extra: null };
    };
    const first = get('/page', make);
    await settle();
    content.purge({ tags: ['post:b'] });
    const second = get('/page', make);
    content.purge({ keys: ['a'] });
    const third = get('/page', make);
    slow.resolve();
    await Promise.all([first, second, third]);
    expect(builds).toBe(2);
  });

  it('rebuilds a response after a purge of data that was evicted', async () => {
    const policies = { ...DEFAULT_POLICIES, topic: { ttl: 10, swr: 100, sie: 1000 } };
    content = createContentCache({ policies, maxBytes: 2_000, clock, random: () => 0.5 });
    responses = createResponseCache<null>({ content, maxBytes: 1e6, clock });
    await get();
    for (let other = 0; other < 10; other++) await read('topic', `other ${other}`, new DependencyTracker());
    expect([...content.entries()].map(({ key }) => key)).not.toContain('a');
    upstream['a'] = 'three';
    content.purge({ tags: ['post:a'] });
    expect((await get()).text).toBe('three two');
  });

  it('does not cache an incomplete response for five seconds if the rest of its data was purged', async () => {
    await get('/page', async (tracker) => {
      tracker.markIncomplete(NEVER);
      const built = await build(tracker);
      upstream['a'] = 'three';
      content.purge({ all: true });
      return built;
    });
    expect((await get()).text).toBe('three two');
  });

  describe('of an incomplete response', () => {
    let isComplete: boolean;
    let response: CachedResponse;
    beforeEach(async () => {
      isComplete = false;
      response = await buildCachedResponse(200, 'text/plain', 'one two');
      vi.useFakeTimers({ toFake: ['setTimeout'] });
    });
    afterEach(() => vi.useRealTimers());

    const partial = async (tracker: DependencyTracker): Promise<Built<null>> => {
      builds++;
      if (!isComplete) tracker.markIncomplete(NEVER);
      return { kind: 'response', response, extra: null };
    };
    async function pass(ms: number): Promise<void> {
      clock.monotonicMs += ms;
      vi.advanceTimersByTime(ms);
      await settle();
    }

    it('serves it at once, and builds it again behind its readers every five seconds', async () => {
      await get('/page', partial);
      await pass(4_900);
      for (let reader = 0; reader < 3; reader++) expect((await get()).outcome.forward).toBeNull();
      expect(builds).toBe(1);
      await pass(200);
      expect(builds).toBe(2);
      expect(responses.cached('/page')).toMatchObject({ complete: false });
      isComplete = true;
      await pass(5_000);
      expect(builds).toBe(3);
      expect(responses.cached('/page')).toMatchObject({ complete: true });
      await pass(60_000);
      expect(builds).toBe(3);
    });

    it('builds it again after five seconds also where nobody asks, but once', async () => {
      await get('/page', partial);
      await pass(5_000);
      expect(builds).toBe(2);
      await pass(5_000);
      await pass(5_000);
      expect(builds).toBe(2);
      expect(responses.cached('/page')).toBeNull();
      isComplete = true;
      await get('/page', partial);
      expect(responses.cached('/page')).toMatchObject({ complete: true });
    });

    it('says that it is fresh for five seconds, whatever its data say, and then since when it is not', async () => {
      await get('/page', partial);
      expect((await get()).outcome.ttl).toBe(5);
      await pass(2_000);
      expect((await get()).outcome.ttl).toBe(3);
      clock.monotonicMs += 4_000;
      expect((await get()).outcome.ttl).toBe(-1);
    });

    it('ends it after ten seconds, but not while it is being built again', async () => {
      await get('/page', partial);
      const slow = Promise.withResolvers<void>();
      await get('/slow', async (tracker) => {
        if (tracker.complete && builds > 1) await slow.promise;
        return partial(tracker);
      });
      clock.monotonicMs += 10_000;
      expect(responses.cached('/page')).toBeNull();
      vi.advanceTimersByTime(5_000);
      expect(responses.cached('/slow')).toMatchObject({ complete: false });
      slow.resolve();
    });
  });

  it('builds an incomplete response again as soon as a missing section is there, without a reader', async () => {
    const late = Promise.withResolvers<string>();
    const failed = Promise.reject(new Error('down'));
    failed.catch(() => undefined);
    let isThere = false;
    const partial = async (tracker: DependencyTracker) => {
      if (!isThere) for (const section of [late.promise, failed]) tracker.markIncomplete(section);
      return build(tracker);
    };
    await get('/page', partial);
    await settle();
    expect(builds).toBe(1);
    isThere = true;
    late.resolve('here');
    await vi.waitFor(() => expect(responses.cached('/page')).toMatchObject({ complete: true }));
    expect(builds).toBe(2);
  });

  it('keeps an incomplete response where it cannot be built again, and says so', async () => {
    const logged: string[] = [];
    const logger = { warn: (_: object, message: string) => logged.push(message) };
    responses = createResponseCache<null>({ content, maxBytes: 1e6, clock, logger });
    const late = Promise.withResolvers<string>();
    let isBroken = false;
    await get('/page', async (tracker) => {
      if (isBroken) throw new Error('broken');
      tracker.markIncomplete(late.promise);
      return build(tracker);
    });
    isBroken = true;
    late.resolve('here');
    await settle();
    expect((await get()).text).toBe('one two');
    expect(logged).toHaveLength(1);
  });

  it('builds nothing behind readers once the process is ending, and says nothing of what that cuts', async () => {
    const logged: string[] = [];
    const logger = { warn: (_: object, message: string) => logged.push(message) };
    responses = createResponseCache<null>({ content, maxBytes: 1e6, clock, logger });
    const late = { '/cut': Promise.withResolvers<string>(), '/waiting': Promise.withResolvers<string>() };
    const cut = Promise.withResolvers<never>();
    const rebuilt: string[] = [];
    const partial = (path: keyof typeof late) => {
      let isBuilt = false;
      return async (tracker: DependencyTracker): Promise<Built<null>> => {
        if (isBuilt) rebuilt.push(path);
        if (isBuilt) return cut.promise;
        isBuilt = true;
        tracker.markIncomplete(late[path].promise);
        return build(tracker);
      };
    };
    await get('/cut', partial('/cut'));
    await get('/waiting', partial('/waiting'));
    late['/cut'].resolve('here');
    await settle();
    responses.stop();
    late['/waiting'].resolve('here');
    cut.reject(new Error('the render thread is closed'));
    await settle();
    expect(rebuilt).toEqual(['/cut']);
    expect(logged).toEqual([]);
  });

  it('caches the not-found page', async () => {
    const notFound = async (tracker: DependencyTracker): Promise<Built<null>> => {
      await build(tracker);
      return {
        kind: 'response',
        response: await buildCachedResponse(404, 'text/plain', 'none'),
        extra: null,
      };
    };
    await get('/404', notFound);
    expect((await get('/404', notFound)).outcome.forward).toBeNull();
    expect(builds).toBe(1);
  });

  it('builds nothing while the absence of the data is cached', async () => {
    const missing = async (tracker: DependencyTracker): Promise<Built<null>> => {
      builds++;
      const load = () => Promise.reject(new Absent());
      await content
        .read({ resource: 'article', key: 'none', tags: () => [], load }, tracker)
        .catch(() => null);
      return { kind: 'not-found' };
    };
    const ask = async () => (await responses.get('/page', missing)).outcome;
    expect(await ask()).toMatchObject({ forward: 'miss' });
    clock.monotonicMs += 4_000;
    expect(await ask()).toMatchObject({ forward: null, ttl: 11 });
    expect(builds).toBe(1);
    content.purge({ tags: ['article'] });
    await ask();
    expect(builds).toBe(2);
    clock.monotonicMs += 15_000;
    await ask();
    expect(builds).toBe(3);
    content.mode.set({ mode: 'bypass', ttlFactor: 1, forSeconds: 60 });
    await ask();
    expect(builds).toBe(4);
    expect(responses.entries).toBe(0);
  });

  const failing = async (tracker: DependencyTracker): Promise<Built<null>> => {
    await build(tracker);
    return { kind: 'response', response: await buildCachedResponse(503, 'text/plain', 'sorry'), extra: null };
  };

  it('holds no such page of before once it is cleared', async () => {
    expect((await get('/page', failing)).text).toBe('sorry');
    const late = Promise.withResolvers<void>();
    const before = get('/late', async (tracker) => {
      await late.promise;
      return failing(tracker);
    });
    void responses.clear();
    late.resolve();
    await before;
    expect((await get('/page')).text).toBe('one two');
    expect((await get('/late')).text).toBe('one two');
  });

  it('builds a page that says that its data could not be loaded once a second, and never as a hit', async () => {
    for (let reader = 0; reader < 50; reader++)
      expect(await get('/page', failing)).toMatchObject({ text: 'sorry', outcome: { forward: 'miss' } });
    expect(builds).toBe(1);
    expect(responses.cached('/page')).toBeNull();
    clock.monotonicMs += 1_000;
    await get('/page', failing);
    expect(builds).toBe(2);
    content.purge({ keys: ['a'] });
    expect((await get()).text).toBe('one two');
  });

  it('holds no such page while the cache is bypassed', async () => {
    content.mode.set({ mode: 'bypass' });
    await get('/page', failing);
    expect((await get()).text).toBe('one two');
  });

  it('remembers no build that rejects', async () => {
    await expect(responses.get('/page', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect((await get()).text).toBe('one two');
  });

  it('under overload builds nothing, and serves what costs nothing', async () => {
    let isOverloaded = false;
    responses = createResponseCache<null>({
      content,
      maxBytes: 1e6,
      clock,
      isOverloaded: () => isOverloaded,
    });
    const absent = async (tracker: DependencyTracker): Promise<Built<null>> => {
      const load = () => Promise.reject(new Absent());
      await content
        .read({ resource: 'topic', key: 'none', tags: () => [], load }, tracker)
        .catch(() => undefined);
      return { kind: 'not-found' };
    };
    const partial = async (tracker: DependencyTracker) => {
      tracker.markIncomplete(NEVER);
      return build(tracker);
    };
    await get('/cached', partial);
    await responses.get('/absent', absent);
    await get('/unavailable', failing);
    const slow = Promise.withResolvers<void>();
    const running = get('/running', async (tracker) => {
      await slow.promise;
      return build(tracker);
    });
    isOverloaded = true;
    await expect(get('/cold')).rejects.toBeInstanceOf(Overloaded);
    expect(await responses.get('/absent', absent)).toMatchObject({ kind: 'not-found' });
    expect((await get('/unavailable')).text).toBe('sorry');
    const joined = get('/running');
    slow.resolve();
    expect((await joined).text).toBe((await running).text);
    const before = builds;
    clock.monotonicMs += 6_000;
    expect((await get('/cached')).text).toBe('one two');
    await settle();
    expect(builds).toBe(before);
  });

  it('stays within its size', async () => {
    const small = createResponseCache<null>({ content, maxBytes: 50_000, clock });
    for (let page = 0; page < 200; page++) await small.get(`/page/${page}`, build);
    expect(small.bytes).toBeLessThanOrEqual(50_000);
    expect(small.entries).toBeGreaterThan(5);
  });
});
