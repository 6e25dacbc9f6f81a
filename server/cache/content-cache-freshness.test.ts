import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { readState } from '../../tests/fixtures/read-state.ts';
import { Absent, type CacheQuery } from './cache-query.ts';
import { createContentCache } from './content-cache.ts';
import { DependencyTracker } from './dependencies/dependency-tracker.ts';
import { NEGATIVE_MS } from './loading/failure-cache.ts';
import { DEFAULT_POLICIES } from './policies.ts';

/** Seconds: fresh until 10, stale until 30, stale if the refresh fails until 60. */
const POLICY = { ttl: 10, swr: 20, sie: 30 };

/** A cache whose clock and upstream the test controls. */
function createScenario({ random = 0.5, maxBytes = 1_000_000, policy = POLICY } = {}) {
  const clock = fakeClock({ monotonic: 1_000 });
  const at = {
    clock,
    load: async (key: string): Promise<string> => `${key} at ${clock.monotonicMs}`,
    loads: 0,
  };
  const cache = createContentCache({
    policies: { ...DEFAULT_POLICIES, article: policy },
    maxBytes,
    clock,
    random: () => random,
  });
  const query = (key: string): CacheQuery<string> => ({
    resource: 'article',
    key,
    tags: () => [`post:${key}`],
    load: () => {
      at.loads++;
      return at.load(key);
    },
  });
  async function read(key = 'a'): Promise<{ value: string; state: string }> {
    const tracker = new DependencyTracker();
    const value = await cache.read(query(key), tracker);
    return { value, state: readState(tracker) };
  }
  const fails = async (): Promise<string> => {
    throw new Error('down');
  };
  return { at, cache, read, fails };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the states of an entry, to the millisecond', () => {
  it.each([
    [9_999, 'hit'],
    [10_000, 'stale'],
    [29_999, 'stale'],
    [30_000, 'stale'],
    [59_999, 'stale'],
  ])('while the upstream fails, a value of %i ms is a %s', async (age, state) => {
    const { at, read, fails } = createScenario();
    await read();
    at.clock.monotonicMs += age;
    at.load = fails;
    expect(await read()).toEqual({ value: 'a at 1000', state });
    await settle();
  });

  it('while the upstream fails, an expired value is not served', async () => {
    const { at, read, fails } = createScenario();
    await read();
    at.clock.monotonicMs += 60_000;
    at.load = fails;
    await expect(read()).rejects.toThrow('down');
  });

  it.each([
    [29_999, 'a at 1000'],
    [30_000, 'a at 31000'],
  ])('while the upstream responds, a value of %i ms gives %s', async (age, value) => {
    const { at, read } = createScenario();
    await read();
    at.clock.monotonicMs += age;
    expect((await read()).value).toBe(value);
    await settle();
  });

  it('do not change otherwise after a pause of the process, and cause one refresh', async () => {
    const { at, read } = createScenario();
    await read();
    at.clock.monotonicMs += 9_000;
    expect((await read()).state).toBe('hit');
    at.clock.monotonicMs += 30_000;
    await Promise.all(Array.from({ length: 100 }, () => read()));
    expect(at.loads).toBe(2);
  });
});

describe('the jitter of a ttl', () => {
  it.each([
    [0, 9_000],
    [0.5, 10_000],
    [1, 11_000],
  ])('with a random of %d is fresh for %i ms', async (random, freshMs) => {
    const { at, read } = createScenario({ random });
    await read();
    at.clock.monotonicMs += freshMs - 1;
    expect((await read()).state).toBe('hit');
    at.clock.monotonicMs += 1;
    expect((await read()).state).toBe('stale');
    await settle();
  });

  it('is chosen once for an entry, not for each read', async () => {
    let choices = 0;
    const cache = createContentCache({
      policies: DEFAULT_POLICIES,
      maxBytes: 1_000_000,
      clock: fakeClock(),
      random: () => {
        choices++;
        return 0.5;
      },
    });
    const query: CacheQuery<string> = {
      resource: 'article',
      key: 'a',
      tags: () => [],
      load: async () => 'one',
    };
    for (let read = 0; read < 10; read++) await cache.read(query, new DependencyTracker());
    expect(choices).toBe(1);
  });
});

describe('a policy change', () => {
  it('shortens all states of what is already cached', async () => {
    const { at, cache, read, fails } = createScenario();
    await read();
    at.clock.monotonicMs += 9_000;
    at.load = fails;
    cache.policies.set('article', { ttl: 1, swr: 1, sie: 1 });
    await expect(read()).rejects.toThrow('down');
  });

  it('makes a stale entry fresh again', async () => {
    const { at, cache, read } = createScenario();
    await read();
    at.clock.monotonicMs += 20_000;
    cache.policies.set('article', { ttl: 60 });
    expect(await read()).toEqual({ value: 'a at 1000', state: 'hit' });
    expect(at.loads).toBe(1);
  });
});

describe('nothing is kept', () => {
  it('of a failed load', async () => {
    const { at, cache, read, fails } = createScenario();
    at.load = fails;
    await expect(read()).rejects.toThrow('down');
    expect(cache.stats().article).toMatchObject({ entries: 0, bytes: 0, errors: 1 });
  });

  it('of a load that throws synchronously: the next attempt can succeed', async () => {
    const { at, read } = createScenario();
    at.load = () => {
      throw new Error('malformed');
    };
    await expect(read()).rejects.toThrow('malformed');
    at.clock.monotonicMs += 1_000;
    at.load = async () => 'mended';
    expect((await read()).value).toBe('mended');
  });

  it('of absent keys among the entries: a crawl of wrong addresses evicts no entry, and is itself bounded', async () => {
    const { at, read } = createScenario({ maxBytes: 2_000 });
    await read('good');
    at.load = async () => {
      throw new Absent();
    };
    for (let index = 0; index < 5_001; index++)
      await expect(read(`absent/${index}`)).rejects.toBeInstanceOf(Absent);
    expect((await read('good')).state).toBe('hit');
    const before = at.loads;
    await expect(read('absent/5000')).rejects.toBeInstanceOf(Absent);
    expect(at.loads).toBe(before);
    await expect(read('absent/0')).rejects.toBeInstanceOf(Absent);
    expect(at.loads).toBe(before + 1);
  });

  it('of a value that is absent upstream now, also after negative caching ends', async () => {
    const { at, read, fails } = createScenario();
    await read();
    at.clock.monotonicMs += 11_000;
    at.load = async () => {
      throw new Absent();
    };
    for (const second of [0, 1]) {
      at.clock.monotonicMs += second * 1_000;
      await read();
      await settle();
    }
    await expect(read()).rejects.toBeInstanceOf(Absent);
    at.clock.monotonicMs += NEGATIVE_MS;
    at.load = fails;
    await expect(read()).rejects.toThrow('down');
  });
});

describe('the bound of bytes', () => {
  it('holds, and the most recently read entries stay', async () => {
    const { cache, at, read } = createScenario({ maxBytes: 20_000 });
    at.load = async () => 'x'.repeat(500);
    for (let index = 0; index < 200; index++) {
      await read(`cold/${index}`);
      await read('hot');
    }
    const { bytes, entries } = cache.stats().article;
    expect(bytes).toBeLessThanOrEqual(20_000);
    expect(entries).toBeGreaterThan(5);
    const before = at.loads;
    await read('hot');
    expect(at.loads).toBe(before);
  });

  it('does not store a value larger than the whole cache, and returns it all the same', async () => {
    const { cache, at, read } = createScenario({ maxBytes: 20_000 });
    at.load = async () => 'x'.repeat(100_000);
    expect((await read()).value).toHaveLength(100_000);
    expect(cache.stats().article.entries).toBe(0);
  });
});
