import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message, MessageQueue, Outcome, QueueOptions } from '#server/outbox/message-types.ts';
import type { OutboxKind } from '#shared/models/outbox-kinds.ts';

const DAY_MS = 86_400_000;
const delivered: Outcome = { state: 'delivered', reason: null, isCounted: true };
const rejected: Outcome = { state: 'rejected', reason: 'status 400', isCounted: true };
const failed: Outcome = { state: 'pending', reason: 'status 500', isCounted: true };
/** As while the circuit breaker is open. */
const probed: Outcome = { ...failed, isCounted: false };

/** An added message is due at once, and one that was attempted much later. */
export const untilPromoted = (failures: number) => (failures === 0 ? 1 : 60_000);

/** Returns a message that differs from others of its kind by `id`. */
export function messageOf(id: string, kind: OutboxKind = 'contact'): Message {
  return { id: `message-${id}`, kind, payload: { id }, createdAt: Date.now(), traceparent: null };
}

/** Adds until it is taken: the queue may not be connected yet. */
async function insist(add: () => Promise<void>): Promise<void> {
  const isTaken = () =>
    add().then(
      () => true,
      () => false,
    );
  await expect.poll(isTaken).toBe(true);
}

/**
 * Describes what every queue promises. `open`: opens the queue of one test, also after it was closed. `manyViews`: as many as
 * it delivers within seconds.
 */
export function describeQueue(
  open: (options: Omit<QueueOptions, 'logger'>) => Promise<MessageQueue>,
  manyViews: number,
): void {
  let queue: MessageQueue;
  let attempts: string[];
  let outcomeOf: (message: Message) => Outcome | Promise<Outcome>;
  let backoff: (failures: number) => number;
  let passedMs: number;

  const process = async (message: Message) => {
    attempts.push(message.id);
    return await outcomeOf(message);
  };
  const startedAt = Date.now() - performance.now();
  const reopen = async () => {
    queue = await open({
      process,
      now: () => startedAt + performance.now() + passedMs,
      backoff: (failures) => backoff(failures),
    });
    queue.start();
  };
  beforeEach(async () => {
    attempts = [];
    outcomeOf = () => delivered;
    backoff = () => 1;
    passedMs = 0;
    await reopen();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await queue.close(1_000);
  });

  /** Sets the wall clock, which goes on from there. */
  const step = (ms: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms, shouldAdvanceTime: true });
  /** So much time passes for the queue. */
  function pass(ms: number): void {
    passedMs += ms;
    step(ms);
  }

  const attemptsOf = (id: string) => attempts.filter((one) => one === `message-${id}`).length;
  const statesOf = async () => (await queue.list()).map(({ id, state }) => `${id} ${state}`).sort();
  const count = (kind: OutboxKind, state: 'pending' | 'rejected') =>
    queue
      .counts()
      .filter((one) => one.kind === kind && one.state === state)
      .reduce((sum, { n }) => sum + n, 0);

  it('delivers each message once, first come, first tried, and keeps nothing of it', async () => {
    await insist(() => queue.add([messageOf('1'), messageOf('2'), messageOf('3', 'view')]));
    await expect.poll(() => attempts).toHaveLength(3);
    expect(attempts.filter((id) => id !== 'message-3')).toEqual(['message-1', 'message-2']);
    await expect.poll(() => queue.list()).toEqual([]);
  });

  it('passes on what it was given', async () => {
    const given = { ...messageOf('1', 'opt-out'), traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
    const { promise, resolve } = Promise.withResolvers<Message>();
    outcomeOf = (message) => {
      resolve(message);
      return delivered;
    };
    await insist(() => queue.add([given]));
    expect(await promise).toEqual(given);
  });

  it('says why the attempt failed after which a message was added, and counts it', async () => {
    outcomeOf = () => failed;
    backoff = () => 60_000;
    await insist(() =>
      queue.add([messageOf('1')], { state: 'pending', reason: 'status 503', isCounted: true }),
    );
    await insist(() => queue.add([messageOf('2')], { ...rejected, state: 'rejected' }));
    const listed = async () =>
      (await queue.list()).map(({ state, lastError, attempts: n }) => [state, lastError, n]).sort();
    await expect.poll(listed).toEqual([
      ['pending', 'status 503', 1],
      ['rejected', 'status 400', 1],
    ]);
    backoff = () => 1;
    await queue.promote('contact');
    await expect.poll(statesOf).toEqual(['message-1 rejected', 'message-2 rejected']);
    expect(attemptsOf('1')).toBe(19);
    expect((await queue.list()).find(({ id }) => id === 'message-1')?.attempts).toBe(20);
  });

  it('has a message once, however often it is added', async () => {
    outcomeOf = () => probed;
    backoff = untilPromoted;
    for (let time = 0; time < 3; time++) await insist(() => queue.add([messageOf('1')]));
    await expect.poll(() => count('contact', 'pending')).toBe(1);
    await expect.poll(statesOf).toEqual(['message-1 pending']);
    expect(queue.oldestSeconds()).toBeLessThan(60);
  });

  it('tries a message that fails again, and delays no other by it', async () => {
    outcomeOf = ({ id }) => (id === 'message-poison' ? failed : delivered);
    backoff = () => 200;
    const good = Array.from({ length: 1_000 }, (_, i) => messageOf(String(i), 'view'));
    await insist(() => queue.add([...good.slice(0, 500), messageOf('poison', 'view'), ...good.slice(500)]));
    await expect.poll(() => new Set(attempts.filter((id) => id !== 'message-poison')).size).toBe(1_000);
    await expect.poll(() => attemptsOf('poison')).toBeGreaterThan(0);
  });

  it('rejects a message after twenty failures that count', async () => {
    outcomeOf = () => failed;
    await insist(() => queue.add([messageOf('1')]));
    await expect.poll(statesOf).toEqual(['message-1 rejected']);
    expect(attemptsOf('1')).toBe(20);
    expect(await queue.list()).toMatchObject([
      { kind: 'contact', lastError: 'status 500', attempts: 20, nextAttemptAt: null },
    ]);
  });

  it('rejects none for failures that do not count', async () => {
    outcomeOf = () => probed;
    await insist(() => queue.add([messageOf('1')]));
    await expect.poll(() => attemptsOf('1')).toBeGreaterThan(25);
    expect(await statesOf()).toEqual(['message-1 pending']);
  });

  it('says when it is about to try a message next', async () => {
    outcomeOf = () => probed;
    backoff = untilPromoted;
    await insist(() => queue.add([messageOf('1')]));
    const minutesUntilNext = async () => {
      const [listed] = await queue.list();
      return Math.round((Date.parse(listed?.nextAttemptAt ?? '') - Date.now()) / 60_000);
    };
    await expect.poll(minutesUntilNext).toBe(1);
  });

  it('tries what waits at once when the upstream of its kind is back', async () => {
    outcomeOf = () => probed;
    backoff = untilPromoted;
    await insist(() => queue.add([messageOf('1'), messageOf('2'), messageOf('3', 'opt-out')]));
    await expect.poll(() => attempts).toHaveLength(3);
    outcomeOf = () => delivered;
    // A message waits from the moment on when its attempt is recorded.
    await expect
      .poll(async () => {
        await queue.promote('contact');
        return await statesOf();
      })
      .toEqual(['message-3 pending']);
    expect(attemptsOf('3')).toBe(1);
  });

  it.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('delivers what waits, and what comes, when the clock was set %s by an hour', async (_way, ms) => {
    const [before, after] = [messageOf('1'), messageOf('2')];
    outcomeOf = () => probed;
    backoff = () => 5_000;
    await insist(() => queue.add([before]));
    step(ms);
    outcomeOf = () => delivered;
    backoff = () => 1;
    await insist(() => queue.add([after]));
    await expect.poll(() => queue.list()).toEqual([]);
    expect(attempts.sort()).toEqual(['message-1', 'message-2']);
    expect(queue.oldestSeconds()).toBeLessThan(60);
  });

  describe('what the upstream rejects', () => {
    beforeEach(() => {
      outcomeOf = () => rejected;
    });

    it('is kept, retried one by one or by kind, and discarded', async () => {
      await insist(() => queue.add([messageOf('1'), messageOf('2'), messageOf('3', 'opt-out')]));
      await insist(() =>
        queue.add([messageOf('4')], { state: 'rejected', reason: 'status 422', isCounted: true }),
      );
      await expect
        .poll(async () => (await statesOf()).filter((one) => one.endsWith(' rejected')))
        .toHaveLength(4);
      expect(attemptsOf('4')).toBe(0);
      await expect.poll(() => count('contact', 'rejected')).toBe(3);
      expect((await queue.list()).find(({ id }) => id === 'message-4')?.lastError).toBe('status 422');
      outcomeOf = () => delivered;
      expect(await queue.retry({ id: 'message-1' })).toBe(1);
      await expect.poll(statesOf).toEqual(['message-2 rejected', 'message-3 rejected', 'message-4 rejected']);
      expect(await queue.retry({ id: 'message-unknown' })).toBe(0);
      expect(await queue.retry({ kind: 'contact' })).toBe(2);
      await expect.poll(statesOf).toEqual(['message-3 rejected']);
      expect(attemptsOf('4')).toBe(1);
      expect(await queue.discard({ id: 'message-3' })).toBe(1);
      expect(await queue.discard({ id: 'message-3' })).toBe(0);
      for (const kind of ['contact', 'opt-out'] as const)
        await insist(() =>
          queue.add([messageOf(kind, kind)], { state: 'rejected', reason: 'status 400', isCounted: true }),
        );
      await expect.poll(statesOf).toEqual(['message-contact rejected', 'message-opt-out rejected']);
      expect(await queue.discard({ kind: 'contact' })).toBe(1);
      expect(await queue.discard({})).toBe(1);
      expect(await queue.list()).toEqual([]);
    });

    it('has its attempts counted anew where it is retried, and what waits goes on from those that it has', async () => {
      outcomeOf = () => failed;
      await insist(() => queue.add([messageOf('1')], { ...failed, state: 'pending' }));
      await expect.poll(statesOf).toEqual(['message-1 rejected']);
      expect(attemptsOf('1')).toBe(19);
      backoff = () => 60_000;
      const listed = async () => (await queue.list()).map(({ state, attempts: n }) => [state, n]);
      for (const n of [1, 2, 3]) {
        expect(await queue.retry({ id: 'message-1' })).toBe(1);
        await expect.poll(listed).toEqual([['pending', n]]);
      }
      backoff = () => 1;
      expect(await queue.retry({ id: 'message-1' })).toBe(1);
      await expect.poll(statesOf).toEqual(['message-1 rejected']);
      expect(attemptsOf('1')).toBe(19 + 20);
    });

    it('is pending again when it is added again', async () => {
      await insist(() => queue.add([messageOf('1')]));
      await expect.poll(statesOf).toEqual(['message-1 rejected']);
      outcomeOf = () => delivered;
      await insist(() => queue.add([messageOf('1')]));
      await expect.poll(statesOf).toEqual([]);
    });

    it('is dropped where it is a view', async () => {
      await insist(() => queue.add([messageOf('1', 'view')]));
      await expect.poll(() => attempts).toHaveLength(1);
      await expect.poll(() => queue.list()).toEqual([]);
    });

    it('is erased after thirty days, also where nothing else happens', async () => {
      await insist(() => queue.add([messageOf('1')]));
      await expect.poll(statesOf).toEqual(['message-1 rejected']);
      pass(29 * DAY_MS);
      await queue.sweep();
      expect(await statesOf()).toEqual(['message-1 rejected']);
      pass(DAY_MS + 60_000);
      await queue.sweep();
      expect(await statesOf()).toEqual([]);
    });

    it('is erased beyond a thousand of all kinds: the oldest of the kind that has most', async () => {
      const kinds = { subscription: 330, 'opt-out': 330, contact: 350 } as const;
      const all = ['subscription', 'opt-out', 'contact'] as const;
      const messages = all.flatMap((kind) =>
        Array.from({ length: kinds[kind] }, (_, i) => messageOf(`${kind}-${i}`, kind)),
      );
      await insist(() => queue.add(messages, { state: 'rejected', reason: 'status 400', isCounted: true }));
      const counts = () => all.map((kind) => count(kind, 'rejected'));
      await expect.poll(counts).toEqual([330, 330, 350]);
      await queue.sweep();
      await expect.poll(counts).toEqual([330, 330, 340]);
      expect(await queue.retry({ id: 'message-contact-0' })).toBe(0);
      expect(await queue.retry({ id: 'message-contact-349' })).toBe(1);
    });
  });

  it('keeps what is not delivered when it is closed, and delivers it afterwards', async () => {
    outcomeOf = () => probed;
    backoff = untilPromoted;
    await insist(() => queue.add([messageOf('1'), messageOf('2', 'view')]));
    await expect.poll(() => attempts).toHaveLength(2);
    await queue.close(5_000);
    outcomeOf = () => delivered;
    await reopen();
    await expect
      .poll(async () => {
        for (const { id } of await queue.list()) await queue.retry({ id });
        return await queue.list();
      })
      .toEqual([]);
  });

  it(`delivers ${manyViews} views`, async () => {
    const views = Array.from({ length: manyViews }, (_, i) => messageOf(String(i), 'view'));
    for (let from = 0; from < views.length; from += 500)
      await insist(() => queue.add(views.slice(from, from + 500)));
    await expect.poll(() => new Set(attempts).size, { timeout: 300_000 }).toBe(manyViews);
    // What is added again after a deadline may have been delivered already.
    expect(attempts.length).toBeLessThan(manyViews + 500);
  }, 400_000);
}
