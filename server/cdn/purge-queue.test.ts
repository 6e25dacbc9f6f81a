import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cdnVendor, type PurgeCall } from './cdn-vendors.ts';
import { createPurgeQueue } from './purge-queue.ts';

/** A CDN whose responses the test chooses, and a clock that it turns. */
function start({ maxTags = 30, maxTagLength = Number.POSITIVE_INFINITY } = {}) {
  const vendor = {
    ...cdnVendor('cloudflare', { name: null, purgeUrl: null, token: 't', zone: 'z' }),
    maxTags,
    maxTagLength,
  };
  const calls: { tags: string[] | 'all' }[] = [];
  const outcomes: string[] = [];
  type Sent = { status: number };
  let respond: (tags: string[] | 'all') => Sent | Promise<Sent> = () => ({ status: 200 });
  const purges = createPurgeQueue({
    vendor,
    async send({ body }: PurgeCall) {
      const { tags = 'all' } = JSON.parse(body ?? '');
      calls.push({ tags });
      return respond(tags);
    },
    onPurged: (outcome) => void outcomes.push(outcome),
    logger: { warn: () => undefined, error: () => undefined },
  });
  return {
    purges,
    calls,
    outcomes,
    respondWith: (status: number) => {
      respond = () => ({ status });
    },
    respondTo: (statusOf: (tags: string[] | 'all') => number) => {
      respond = (tags) => ({ status: statusOf(tags) });
    },
    /** Turns the clock by so many milliseconds; what is due is done, and what follows from it. */
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('purges at a CDN', () => {
  it('are sent as one call of each tag once, a tenth of a second after the first', async () => {
    const { purges, calls, pass } = start();
    purges.purgeTags(['post:1', 'home'], false);
    await pass(60);
    purges.purgeTags(['post:1', 'post:2'], false);
    await pass(39);
    expect(calls).toEqual([]);
    await pass(1);
    expect(calls).toEqual([{ tags: ['post:1', 'home', 'post:2'] }]);
    expect(purges.size()).toBe(0);
  });

  it('are divided into calls that the vendor takes', async () => {
    const { purges, calls, pass } = start();
    const tags = Array.from({ length: 65 }, (_, index) => `post:${index}`);
    purges.purgeTags(tags, false);
    await pass(200);
    expect(calls.map(({ tags }) => tags.length)).toEqual([30, 30, 5]);
    expect(calls.flatMap(({ tags }) => tags)).toEqual(tags);
  });

  it('are divided where their tags are too long for one call, though not a tag that is by itself', async () => {
    const { purges, calls, pass } = start({ maxTagLength: 20 });
    purges.purgeTags(['category:a', 'post:1', 'x'.repeat(30), 'post:2', 'post:3'], false);
    await pass(200);
    expect(calls.map(({ tags }) => tags)).toEqual([
      ['category:a', 'post:1'],
      ['x'.repeat(30)],
      ['post:2', 'post:3'],
    ]);
  });

  it('are tried again with backoff until one succeeds', async () => {
    const { purges, calls, outcomes, pass, respondWith } = start();
    respondWith(503);
    purges.purgeTags(['home'], false);
    await pass(100 + 200 + 400 + 800 - 1);
    expect(calls).toHaveLength(3);
    respondWith(429);
    await pass(1);
    expect(calls).toHaveLength(4);
    respondWith(200);
    await pass(1_599);
    expect(calls).toHaveLength(4);
    purges.purgeTags(['post:9'], false);
    await pass(1);
    expect(calls.at(-1)).toEqual({ tags: ['home', 'post:9'] });
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'failed', 'ok']);
    expect(purges.size()).toBe(0);
  });

  it('that the CDN rejects are not tried again, and hold up no others', async () => {
    const { purges, calls, outcomes, pass, respondWith } = start();
    respondWith(422);
    purges.purgeTags(['not-a-tag'], false);
    await pass(100);
    respondWith(200);
    purges.purgeTags(['home'], false);
    await pass(100);
    expect(calls).toEqual([{ tags: ['not-a-tag'] }, { tags: ['home'] }]);
    expect(outcomes).toEqual(['rejected', 'ok']);
  });

  it('leave out one bad tag of a batch, and purge the rest', async () => {
    const { purges, calls, outcomes, pass, respondTo } = start();
    respondTo((tags) => (tags.includes('bad') ? 400 : 200));
    const good = Array.from({ length: 20 }, (_, i) => `post:${i}`);
    purges.purgeTags([...good.slice(0, 13), 'bad', ...good.slice(13)], false);
    await pass(1_000);
    const accepted = calls.flatMap(({ tags }) => (tags === 'all' || tags.includes('bad') ? [] : tags));
    expect(accepted).toEqual(good);
    expect(calls.length).toBeLessThan(12);
    expect(outcomes.filter((outcome) => outcome === 'failed')).toEqual([]);
    expect(purges.size()).toBe(0);
  });

  it.each([401, 403, 405, 407, 408, 425, 429, 500, 502])('are tried again after %d', async (status) => {
    const { purges, outcomes, pass, respondWith } = start();
    respondWith(status);
    purges.purgeTags(['home'], false);
    await pass(100);
    expect(outcomes).toEqual(['failed']);
    expect(purges.size()).toBe(1);
  });

  it('past ten thousand tags become one of everything', async () => {
    const { purges, calls, pass, respondWith } = start();
    respondWith(500);
    for (let post = 0; post <= 10_000; post++) purges.purgeTags([`post:${post}`], false);
    expect(purges.size()).toBe(1);
    respondWith(200);
    await pass(1_000);
    expect(calls).toEqual([{ tags: 'all' }]);
  });

  it('lose nothing, whatever fails when: each tag is purged after it was last asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            tags: fc.array(fc.integer({ min: 0, max: 8 }).map(String), { maxLength: 4 }),
            status: fc.constantFrom(200, 200, 429, 500),
            ms: fc.integer({ min: 0, max: 400 }),
          }),
          { maxLength: 30 },
        ),
        async (steps) => {
          const { purges, calls, pass, respondWith } = start({ maxTags: 3 });
          const asked = new Map<string, number>();
          for (const { tags, status, ms } of steps) {
            respondWith(status);
            for (const tag of tags) asked.set(tag, calls.length);
            purges.purgeTags(tags, false);
            await pass(ms);
          }
          respondWith(200);
          await pass(120_000);
          expect(purges.size()).toBe(0);
          for (const [tag, before] of asked)
            expect(calls.slice(before).some(({ tags }) => tags.includes(tag))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['before a batch is sent', 200, 0],
    ['for a CDN that fails', 500, 1_000],
  ])('that wait at a stop %s are sent once', async (_why, status, ms) => {
    const { purges, calls, pass, respondWith } = start();
    respondWith(status);
    purges.purgeTags(['home'], false);
    await pass(ms);
    const before = calls.length;
    await purges.close();
    await pass(120_000);
    expect(calls.slice(before)).toEqual([{ tags: ['home'] }]);
  });
});

describe('the calls', () => {
  const account = { name: null, purgeUrl: 'https://cdn.example.com/base', token: 'secret', zone: 'abc' };

  it('of Varnish name the tags for xkey', () => {
    const { purgeTags, purgeAll } = cdnVendor('varnish', { ...account, token: null });
    expect(purgeTags(['post:1', 'home'], false)).toEqual({
      url: 'https://cdn.example.com/base',
      method: 'PURGE',
      headers: { 'xkey-purge': 'post:1 home' },
      body: null,
    });
    expect(purgeTags(['home'], true).headers).toEqual({ 'xkey-softpurge': 'home' });
    expect(purgeAll().headers).toEqual({ 'xkey-purge-all': '1' });
  });

  it('of Fastly name the service, and soft where the purge is', () => {
    const { purgeTags, purgeAll } = cdnVendor('fastly', account);
    expect(purgeTags(['post:1'], true)).toMatchObject({
      url: 'https://cdn.example.com/base/service/abc/purge',
      method: 'POST',
      headers: { 'fastly-key': 'secret', 'fastly-soft-purge': '1' },
      body: '{"surrogate_keys":["post:1"]}',
    });
    expect(purgeTags(['post:1'], false).headers).not.toHaveProperty('fastly-soft-purge');
    expect(purgeAll().url).toBe('https://cdn.example.com/base/service/abc/purge_all');
  });

  it('of Cloudflare name the zone', () => {
    const { purgeTags, purgeAll } = cdnVendor('cloudflare', { ...account, purgeUrl: null });
    expect(purgeTags(['post:1'], true)).toMatchObject({
      url: 'https://api.cloudflare.com/client/v4/zones/abc/purge_cache',
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: '{"tags":["post:1"]}',
    });
    expect(purgeAll().body).toBe('{"purge_everything":true}');
  });
});
