import { hkdfSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutboxUnavailable } from '#server/errors.ts';
import { NO_TRACING } from '#server/tracing/tracing.ts';
import type { OutboxKind } from '#shared/models/outbox-kinds.ts';
import { idempotencyKey, idempotencySecret } from './idempotency-key.ts';
import type { Message, MessageQueue, MessageState } from './message-types.ts';
import { type Outbox, type OutboxOptions, openOutbox } from './outbox.ts';

type Response = { status: number; isHtml: boolean };

const DAY_MS = 86_400_000;
const respond =
  (status: number, isHtml = false) =>
  async (): Promise<Response> => ({ status, isHtml });
const down = (): Promise<Response> => Promise.reject(new Error('connection refused'));

let dir: string;
let outbox: Outbox;
let upstream: (message: Message) => Promise<Response>;
let attempts: Message[];
let errors: string[];
let warnings: string[];
let deliveries: string[];
let openSharedQueue: OutboxOptions['openSharedQueue'];
/** How far the wall clock was set. */
let clockStep: number;
/** How long the process is held up after each reading of the monotonic clock. */
let heldUpMs: number;
let heldUp: number;

async function open(): Promise<Outbox> {
  const opened = await openOutbox({
    dir,
    send(message) {
      attempts.push(message);
      return upstream(message);
    },
    authorization: null,
    openSharedQueue,
    tracing: NO_TRACING,
    logger: {
      warn: (_details, message) => warnings.push(message),
      error: (_details, message) => errors.push(message),
    },
    clock: {
      now: () => Date.now() + clockStep,
      monotonic() {
        heldUp += heldUpMs;
        return Date.now() + heldUp;
      },
    },
    random: () => 1,
    onDelivery: (kind, state) => deliveries.push(`${kind} ${state}`),
  });
  opened.start();
  return opened;
}

/** Advances timers. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function reopen(): Promise<void> {
  const closing = outbox.close(1_000);
  await pass(1_000);
  await closing;
  outbox = await open();
}

/** Every write fails, as on a full disk. Returns what ends that. */
function refuseWrites(): () => void {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
    if (sql.startsWith('BEGIN')) throw new Error('database or disk is full');
  });
  return () => exec.mockRestore();
}

const contact = (email = 'ann@example.com') => outbox.submit('contact', { email });
const statesOf = async () => (await outbox.list()).map(({ kind, state }) => `${kind} ${state}`);
const view = (postId = '7') => outbox.countView({ postId, address: '93.184.216.34' });

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'outbox-'));
  attempts = [];
  errors = [];
  warnings = [];
  deliveries = [];
  openSharedQueue = null;
  clockStep = 0;
  heldUpMs = 0;
  heldUp = 0;
  upstream = respond(200);
  vi.useFakeTimers({
    now: 1_800_000_000_000,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  outbox = await open();
});

afterEach(async () => {
  const closing = outbox.close(100);
  await pass(100);
  await closing;
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

const contacts = (state: MessageState, ...statuses: number[]) =>
  statuses.map((status): [OutboxKind, number, boolean, MessageState] => ['contact', status, false, state]);

describe('a submission', () => {
  it('that the upstream takes is in no queue, not even for a moment', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    upstream = () => promise;
    const submitted = contact();
    await pass(500);
    expect(await outbox.list()).toEqual([]);
    resolve({ status: 201, isHtml: false });
    expect(await submitted).toBe('delivered');
    expect(outbox.depth()).toMatchObject({ submissions: 0, rejected: 0 });
    expect(readFileSync(join(dir, 'messages.sqlite'), 'latin1')).not.toContain('ann@example.com');
  });

  it.each<[OutboxKind, number, boolean, MessageState]>([
    ...contacts('delivered', 200, 201, 202, 204),
    ...contacts('rejected', 400, 404, 409, 410, 413, 422),
    ...contacts(
      'pending',
      401,
      402,
      403,
      405,
      407,
      408,
      415,
      418,
      425,
      429,
      500,
      501,
      502,
      503,
      504,
      301,
      304,
    ),
    ['contact', 404, true, 'pending'],
    ['subscription', 404, false, 'already-subscribed'],
    ['subscription', 404, true, 'pending'],
    ['subscription', 400, false, 'rejected'],
    ['opt-out', 404, false, 'rejected'],
  ])('%s with the response %d (a page: %s) is %s', async (kind, status, isHtml, state) => {
    if (kind === 'view') throw new Error('a view is no submission');
    upstream = respond(status, isHtml);
    expect(await outbox.submit(kind, { email: 'ann@example.com' })).toBe(state);
    const kept = state === 'pending' || state === 'rejected' ? [`${kind} ${state}`] : [];
    expect(await statesOf()).toEqual(kept);
    expect(deliveries).toEqual([`${kind} ${state}`]);
  });

  it('that fails is in the queue when the response is sent, also after a kill, and is delivered later under its key', async () => {
    upstream = down;
    expect(await contact()).toBe('pending');
    outbox.closeImmediately();
    outbox = await open();
    upstream = respond(200);
    await pass(2_000);
    expect(await statesOf()).toEqual([]);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    expect(attempts.at(-1)?.payload).toEqual({ email: 'ann@example.com' });
  });

  it('sent twice at once is attempted once, and both get the same response', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    upstream = () => promise;
    const both = [contact(), contact()];
    resolve({ status: 404, isHtml: false });
    expect(await Promise.all(both)).toEqual(['rejected', 'rejected']);
    expect(attempts).toHaveLength(1);
  });

  it('repeated on the same day has the same key, whatever the order of its fields; another day and other fields another', async () => {
    await outbox.submit('contact', { email: 'a@example.com', phone: '1' });
    await outbox.submit('contact', { phone: '1', email: 'a@example.com' });
    await reopen();
    await outbox.submit('contact', { email: 'a@example.com', phone: '1' });
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    await outbox.submit('contact', { email: 'a@example.com', phone: '2' });
    await outbox.submit('opt-out', { email: 'a@example.com', phone: '1' });
    clockStep = DAY_MS;
    await outbox.submit('contact', { email: 'a@example.com', phone: '1' });
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(4);
  });

  it('repeated after an attempt that may have arrived: "already subscribed" is our own success, and is sent no more', async () => {
    upstream = down;
    expect(await outbox.submit('subscription', { email: 'ann@example.com' })).toBe('pending');
    upstream = respond(404);
    expect(await outbox.submit('subscription', { email: 'ann@example.com' })).toBe('delivered');
    await pass(0);
    expect(await statesOf()).toEqual([]);
    // Its sender knows that by now.
    expect(await outbox.submit('subscription', { email: 'ann@example.com' })).toBe('already-subscribed');
  });

  it('repeated after it was rejected, and taken then, is rejected no more: a retry of all does not send it again', async () => {
    for (const restart of [() => undefined, reopen]) {
      upstream = respond(422);
      expect(await contact()).toBe('rejected');
      await restart();
      upstream = respond(200);
      expect(await contact()).toBe('delivered');
      await pass(0);
      expect(await statesOf()).toEqual([]);
      expect(await outbox.retry({})).toBe(0);
    }
  });

  it('that neither the upstream nor the disk takes is refused; one that the upstream takes is not', async () => {
    const allowWrites = refuseWrites();
    expect(await contact('taken@example.com')).toBe('delivered');
    upstream = down;
    await expect(contact()).rejects.toBeInstanceOf(OutboxUnavailable);
    expect(outbox.isDiskUsable()).toBe(false);
    allowWrites();
    await pass(60_000);
    expect(outbox.isDiskUsable()).toBe(true);
    expect(await contact()).toBe('pending');
  });
});

describe('during an outage', () => {
  /** Fills the queue, and the circuit breaker opens. */
  async function fail(count: number): Promise<void> {
    for (let i = 0; i < count; i++) expect(await contact(`${i}@example.com`)).toBe('pending');
  }

  it.each([
    ['no connection', down],
    ['a token that is refused', respond(401)],
    ['a failing upstream', respond(503)],
  ])(
    'by %s: one probe every five seconds, nothing is rejected, and the log says so once a minute',
    async (_why, how) => {
      upstream = how;
      await fail(30);
      expect(attempts.length).toBeLessThan(10);
      attempts = [];
      await pass(600_000);
      expect(attempts.length).toBeGreaterThan(100);
      expect(attempts.length).toBeLessThanOrEqual(121);
      expect(new Set(await statesOf())).toEqual(new Set(['contact pending']));
      expect(outbox.depth().oldestSeconds).toBeGreaterThan(599);
      expect(warnings.length).toBeLessThan(13);
    },
  );

  it('one probe at a time is under way, also where an attempt of before the outage ends meanwhile', async () => {
    const failsAfter = (ms: number) => () =>
      new Promise<Response>((_resolve, reject) => setTimeout(() => reject(new Error('hangs')), ms));
    upstream = failsAfter(8_000);
    const slow = outbox.submit('contact', { email: 'slow@example.com' });
    await pass(0);
    upstream = down;
    await fail(5);
    upstream = failsAfter(20_000);
    attempts = [];
    await pass(24_000);
    expect(attempts).toHaveLength(1);
    await slow;
  });

  it('a new submission goes into the queue at once; when the upstream is back, ten a second of all forms are delivered', async () => {
    upstream = () => new Promise((_resolve, reject) => setTimeout(() => reject(new Error('hangs')), 3_000));
    for (let i = 0; i < 5; i++) {
      const submitted = contact(`${i}@example.com`);
      await pass(3_000);
      await submitted;
    }
    upstream = down;
    for (let i = 5; i < 60; i++) expect(await contact(`${i}@example.com`)).toBe('pending');
    for (let i = 0; i < 40; i++) await outbox.submit('opt-out', { email: `${i}@example.com` });
    upstream = respond(200);
    attempts = [];
    // The first success is a probe.
    while (outbox.depth().submissions === 100) await pass(100);
    await pass(1_000);
    expect(attempts.length).toBeLessThanOrEqual(13);
    await pass(15_000);
    expect(await statesOf()).toEqual([]);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length);
  });

  it('a message that had failed often before is tried as soon as the upstream is back', async () => {
    upstream = ({ payload }) => respond(JSON.stringify(payload).includes('often') ? 503 : 200)();
    await contact('often@example.com');
    // Others are taken, so that each failure counts, and doubles the time that it waits.
    for (let failures = 0; failures < 5; failures++) {
      await pass(1_000 * 2 ** failures + 200);
      await contact(`taken-${failures}@example.com`);
    }
    const [often] = await outbox.list();
    expect(Date.parse(often?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(30_000);
    upstream = down;
    await fail(5);
    upstream = respond(200);
    await pass(8_000);
    expect(await statesOf()).toEqual([]);
  });

  it('a stop leaves what waits as it is', async () => {
    upstream = down;
    for (let i = 0; i < 20; i++) await outbox.submit('opt-out', { email: `${i}@example.com` });
    await pass(1_100);
    const db = new DatabaseSync(join(dir, 'messages.sqlite'));
    const dueTimes = () => db.prepare('SELECT due_at FROM messages ORDER BY id').all();
    const before = dueTimes();
    const closing = outbox.close(1_000);
    await pass(1_000);
    await closing;
    // Four were being delivered.
    const postponed = dueTimes().filter(({ due_at }, nth) => due_at !== before[nth]?.['due_at']);
    db.close();
    expect(postponed.length).toBeLessThanOrEqual(4);
  });

  it('of one form, the others go on', async () => {
    upstream = ({ kind }) => (kind === 'contact' ? down() : respond(200)());
    await fail(10);
    expect(await outbox.submit('subscription', { email: 'ann@example.com' })).toBe('delivered');
  });

  it('a step of the clock changes nothing: what waits is delivered when the upstream is back', async () => {
    upstream = down;
    await fail(10);
    clockStep = -DAY_MS;
    upstream = respond(200);
    await pass(20_000);
    expect(await statesOf()).toEqual([]);
  });
});

describe('what is rejected', () => {
  it('ends after thirty days, also where nothing else happens', async () => {
    upstream = respond(422);
    await contact();
    vi.setSystemTime(Date.now() + 29 * DAY_MS);
    await pass(60_000);
    expect(await statesOf()).toEqual(['contact rejected']);
    vi.setSystemTime(Date.now() + DAY_MS);
    await pass(60_000);
    expect(await statesOf()).toEqual([]);
  });

  it('is retried by kind, or all, and discarded', async () => {
    upstream = respond(422);
    await contact();
    await outbox.submit('opt-out', { email: 'ann@example.com' });
    upstream = respond(200);
    expect(await outbox.retry({ kind: 'contact' })).toBe(1);
    await pass(500);
    expect(await statesOf()).toEqual(['opt-out rejected']);
    const [left] = await outbox.list();
    expect(await outbox.discard({ id: left?.id ?? '' })).toBe(1);
    expect(await outbox.discard({ id: left?.id ?? '' })).toBe(0);
    expect(outbox.depth().rejected).toBe(0);
  });

  it('of views is dropped and counted', async () => {
    upstream = respond(404);
    view();
    await pass(3_000);
    expect(deliveries).toEqual(['view rejected']);
    expect(outbox.depth()).toMatchObject({ views: 0, rejected: 0 });
  });
});

describe('views', () => {
  it('are sent sixteen at a time, at most two hundred a second, each with a key of its own', async () => {
    let inFlight = 0;
    let most = 0;
    upstream = async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inFlight--;
      return { status: 200, isHtml: false };
    };
    for (let i = 0; i < 1_000; i++) view();
    await pass(1_000);
    expect(attempts.length).toBeLessThanOrEqual(201);
    await pass(10_000);
    expect(attempts).toHaveLength(1_000);
    expect(most).toBeLessThanOrEqual(16);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1_000);
    expect(outbox.depth().views).toBe(0);
  });

  it('wait for their turn also where the process is held up between two readings of the clock', async () => {
    for (let i = 0; i < 15; i++) view(String(i));
    heldUpMs = 20;
    view('the next one, whose turn is in 75 ms');
    heldUpMs = 0;
    await pass(1);
    expect(attempts).toHaveLength(1);
    await pass(100);
    expect(attempts).toHaveLength(16);
  });

  it('that come faster than two thousand a second are written a part each second, and stay in memory until then', async () => {
    upstream = () => new Promise(() => undefined);
    for (let i = 0; i < 5_000; i++) view();
    await pass(1_950);
    outbox.closeImmediately();
    outbox = await open();
    expect(outbox.depth().views).toBe(2_000);
  });

  it('that were not sent within a second are on disk, and outlive a kill', async () => {
    upstream = () => new Promise(() => undefined);
    for (let i = 0; i < 300; i++) view();
    await pass(1_200);
    outbox.closeImmediately();
    outbox = await open();
    expect(outbox.depth().views).toBeGreaterThanOrEqual(284);
  });

  it.each([201, 204, 500, 403])('with the response %d are tried again', async (status) => {
    upstream = respond(status);
    view();
    await pass(1_500);
    expect(outbox.depth().views).toBe(1);
    upstream = respond(200);
    await pass(10_000);
    expect(outbox.depth().views).toBe(0);
  });

  it('stay in memory while no disk takes them, as many as there is room for', async () => {
    upstream = down;
    const allowWrites = refuseWrites();
    for (let i = 0; i < 11_000; i++) view();
    for (let second = 0; second < 10; second++) {
      await pass(1_000);
      view();
    }
    expect(outbox.depth().views).toBeLessThanOrEqual(10_000);
    expect(outbox.depth().views).toBeGreaterThan(9_900);
    const line = 'more views than can be kept: some are not counted';
    expect(errors.filter((error) => error === line)).toHaveLength(1);
    allowWrites();
    await pass(2_000);
    expect(await outbox.list()).toHaveLength(50);
  });

  it('are stored when the server stops', async () => {
    upstream = down;
    view();
    await reopen();
    expect(outbox.depth().views).toBe(1);
  });

  it('that the upstream does not respond to are stored when the server stops', async () => {
    upstream = () => new Promise(() => undefined);
    for (let i = 0; i < 20; i++) view();
    await pass(200);
    await reopen();
    expect(outbox.depth().views).toBe(20);
  });
});

describe('with a queue of all instances', () => {
  let added: Message[];
  let discarded: string[];
  let isAway: boolean;
  let isSlow: boolean;
  let viewsOfOthers: number;

  beforeEach(async () => {
    isSlow = false;
    viewsOfOthers = 0;
    added = [];
    discarded = [];
    isAway = false;
    openSharedQueue = async () =>
      ({
        async add(messages) {
          if (isAway) throw new Error('Redis does not take messages');
          if (isSlow) await new Promise((resolve) => setTimeout(resolve, 500));
          added.push(...messages);
        },
        counts: () => [
          { kind: 'contact', state: 'pending', n: added.length },
          { kind: 'view', state: 'pending', n: viewsOfOthers },
        ],
        oldestSeconds: () => 0,
        list: () => Promise.reject(new Error('Redis is not available')),
        promote: async () => undefined,
        async retry() {
          if (isAway) throw new Error('Redis is not available');
          return 0;
        },
        async discard({ id = '' }) {
          discarded.push(id);
          if (isAway) throw new Error('Redis is not available');
          return 0;
        },
        sweep: async () => undefined,
        start: () => undefined,
        pause: () => undefined,
        close: async () => undefined,
      }) satisfies MessageQueue;
    await reopen();
  });

  it('that is slow, the views which it has not taken are on the disk of this instance after a stop', async () => {
    upstream = down;
    isSlow = true;
    for (let i = 0; i < 1_000; i++) view(String(i));
    // The first batch is being added.
    await pass(1_200);
    await reopen();
    expect(added.length + outbox.depth().views).toBeGreaterThanOrEqual(1_000);
  });

  it('that is nearly full, views are added as long as there is room: those in memory take none of it', async () => {
    upstream = () => new Promise(() => undefined);
    viewsOfOthers = 99_000;
    for (let i = 0; i < 2_000; i++) view(String(i));
    await pass(1_100);
    expect(added).toHaveLength(250);
    expect(errors).toEqual([]);
  });

  it('that is slow, a message whose attempt a stop gives up is on the disk of this instance in time for its reader', async () => {
    upstream = () => new Promise(() => undefined);
    isSlow = true;
    let state: MessageState | null = null;
    void contact().then((given) => {
      state = given;
    });
    await pass(100);
    outbox.giveUp(10);
    await pass(20);
    expect(state).toBe('pending');
    expect(await statesOf()).toEqual(['contact pending']);
  });

  it('a message waits there, and not on the disk of this instance', async () => {
    upstream = down;
    expect(await contact()).toBe('pending');
    expect(added).toHaveLength(1);
    expect(outbox.depth().submissions).toBe(1);
  });

  it('one that it does not take is kept and delivered by this instance, and removed there: it may have arrived', async () => {
    isAway = true;
    upstream = down;
    expect(await contact()).toBe('pending');
    expect(outbox.depth().submissions).toBe(1);
    expect(await statesOf()).toEqual(['contact pending']);
    upstream = respond(200);
    await pass(5_000);
    expect(outbox.depth().submissions).toBe(0);
    expect(discarded).toEqual([attempts[0]?.id]);
  });

  it('one on the disk of this instance is retried and discarded while Redis is away, others are not known then', async () => {
    isAway = true;
    upstream = down;
    const added = async () => {
      await contact();
      const [message] = await outbox.list();
      return { id: message?.id ?? '' };
    };
    const which = await added();
    expect(await outbox.discard(which)).toBe(1);
    await expect(outbox.discard(which)).rejects.toBeInstanceOf(OutboxUnavailable);
    expect(await outbox.retry(await added())).toBe(1);
    await expect(outbox.retry({ kind: 'contact' })).rejects.toBeInstanceOf(OutboxUnavailable);
  });
});

describe('the secret of the keys', () => {
  const payload = { email: 'ann@example.com' };

  const keyIn = async (token: string | null, folder: string) =>
    idempotencyKey(await idempotencySecret(token, folder), 'contact', payload, 0);

  it('is the same on all instances with the same token, whatever their folders', async () => {
    const other = mkdtempSync(join(tmpdir(), 'outbox-'));
    expect(await keyIn('Bearer one', dir)).toBe(await keyIn('Bearer one', other));
    expect(await keyIn('Bearer one', dir)).not.toBe(await keyIn('Bearer two', dir));
    expect(await keyIn(null, dir)).toBe(await keyIn(null, dir));
    expect(await keyIn(null, dir)).not.toBe(await keyIn(null, other));
    expect(statSync(join(other, 'idempotency-secret')).mode & 0o077).toBe(0);
    rmSync(other, { recursive: true });
  });

  it('is made where a start that was killed has left an empty file', async () => {
    writeFileSync(join(dir, 'idempotency-secret'), '');
    const known = hkdfSync('sha256', '', '', 'idempotency key', 32);
    expect(await keyIn(null, dir)).not.toBe(idempotencyKey(Buffer.from(known), 'contact', payload, 0));
    expect(await keyIn(null, dir)).toBe(await keyIn(null, dir));
  });

  it('is not the token, and a key does not say what was sent', async () => {
    const secret = await idempotencySecret('Bearer one', dir);
    expect(secret.toString('latin1')).not.toContain('Bearer one');
    expect(idempotencyKey(secret, 'contact', payload, 0)).toMatch(/^[\w-]{24}$/);
  });
});
