import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../../../tests/fixtures/clocks.ts';
import { BREAKER_RULE, BreakerOpen, type BreakerState, createCircuitBreaker } from './circuit-breaker.ts';

afterEach(() => {
  vi.useRealTimers();
});

function setUp(options: { probeWaitMs?: number } = {}) {
  const clock = fakeClock();
  const changes: BreakerState[] = [];
  const breaker = createCircuitBreaker({
    ...BREAKER_RULE,
    ...options,
    clock,
    isFailure: (error) => error instanceof RangeError,
    onChange: (state) => changes.push(state),
  });
  let keys = 0;
  const outcome = (error: Error | null, key = String(keys++)) =>
    breaker
      .run(key, () => (error ? Promise.reject(error) : Promise.resolve('fine')))
      .catch((reason: unknown) => reason);
  return {
    breaker,
    changes,
    pass: (ms: number) => {
      clock.monotonicMs += ms;
    },
    succeed: () => outcome(null),
    fail: (key?: string) => outcome(new RangeError('down'), key),
    response: () => outcome(new TypeError('a response')),
  };
}

async function times(count: number, action: (index: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await action(n);
}

describe('the breaker', () => {
  it('opens when half of at least 20 calls failed, and then rejects at once', async () => {
    const { breaker, fail, succeed } = setUp();
    await times(10, () => succeed());
    await times(9, () => fail());
    expect(breaker.state()).toBe('closed');
    await fail();
    expect(breaker.state()).toBe('open');
    expect(await succeed()).toBeInstanceOf(BreakerOpen);
  });

  it('stays closed while fewer than half fail, and while fewer than 20 were tried', async () => {
    const { breaker, fail, succeed } = setUp();
    await times(19, () => fail());
    await times(40, succeed);
    expect(breaker.state()).toBe('closed');
  });

  it('stays closed while all that fails is about fewer than five things', async () => {
    const { breaker, fail } = setUp();
    await times(100, (index) => fail(`key ${index % 4}`));
    expect(breaker.state()).toBe('closed');
    await fail('a fifth');
    expect(breaker.state()).toBe('open');
  });

  it('counts a response such as 404 as a success', async () => {
    const { breaker, fail, response } = setUp();
    await times(11, response);
    await times(10, () => fail());
    expect(breaker.state()).toBe('closed');
  });

  it('forgets what is older than its window', async () => {
    const { breaker, fail, pass } = setUp();
    await times(19, () => fail());
    pass(10_000);
    await times(19, () => fail());
    expect(breaker.state()).toBe('closed');
  });

  it('lets one probe through when its time is over, and rejects others meanwhile', async () => {
    const { breaker, fail, succeed, pass, changes } = setUp();
    await times(20, () => fail());
    pass(5_000);
    const { promise, resolve } = Promise.withResolvers<string>();
    const probe = breaker.run('key', () => promise);
    expect(breaker.state()).toBe('half-open');
    expect(await succeed()).toBeInstanceOf(BreakerOpen);
    resolve('back');
    expect(await probe).toBe('back');
    expect(changes).toEqual(['open', 'half-open', 'closed']);
  });

  describe('whose calls wait for the probe', () => {
    const PROBE_WAIT_MS = 250;
    async function probing() {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const { breaker, fail, succeed, pass } = setUp({ probeWaitMs: PROBE_WAIT_MS });
      await times(20, () => fail());
      pass(5_000);
      const probe = breaker.run('key', () => promise).catch((reason: unknown) => reason);
      return { breaker, succeed, pass, probe, resolve, reject };
    }

    it('runs them when it succeeds, and not before', async () => {
      const { breaker, probe, resolve } = await probing();
      let running = 0;
      const waiting = Array.from({ length: 3 }, () => breaker.run('key', async () => ++running));
      await new Promise(setImmediate);
      expect(running).toBe(0);
      resolve('back');
      await probe;
      expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
    });

    it('rejects them when it fails', async () => {
      const { breaker, succeed, probe, reject } = await probing();
      const waiting = succeed();
      reject(new RangeError('down'));
      await probe;
      expect(await waiting).toBeInstanceOf(BreakerOpen);
      expect(breaker.state()).toBe('open');
    });

    it('rejects them when it takes too long, and later ones at once', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { breaker, succeed, pass, probe, resolve } = await probing();
      const waiting = succeed();
      pass(PROBE_WAIT_MS);
      await vi.advanceTimersByTimeAsync(PROBE_WAIT_MS);
      expect(await waiting).toBeInstanceOf(BreakerOpen);
      expect(breaker.isRejecting()).toBe(true);
      expect(await succeed()).toBeInstanceOf(BreakerOpen);
      resolve('back');
      await probe;
      expect(await succeed()).toBe('fine');
    });
  });

  it('opens again for the whole time when the probe fails', async () => {
    const { breaker, fail, succeed, pass } = setUp();
    await times(20, () => fail());
    pass(5_000);
    await fail();
    pass(4_999);
    expect(breaker.isRejecting()).toBe(true);
    pass(1);
    expect(await succeed()).toBe('fine');
    expect(breaker.state()).toBe('closed');
  });
});
