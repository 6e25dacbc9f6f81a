import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutboxUnavailable } from '#server/errors.ts';
import { seeded } from '../../tests/seeded.ts';
import type { OutgoingItem } from './delivery/delivery-attempt.ts';
import type { Message, OutboxKind } from './message.ts';
import { type Outbox, openOutbox } from './outbox.ts';
import { type OutboxStore, openOutboxStore } from './sqlite/outbox-store.ts';

const view = { postId: '7', address: '93.184.216.34' };
const down = () => Promise.reject(new Error('connection refused'));
const up = async () => ({ status: 200 });

let dir: string;
let outbox: Outbox;
let upstream: (item: OutgoingItem) => Promise<{ status: number }>;
let attempts: { at: number; item: OutgoingItem }[];
let delivered: OutgoingItem[];
let errors: string[];
/** How far the wall clock was set. */
let clockStep: number;

function open(): Outbox {
  const opened = openOutbox({
    dir,
    deliver: async (item) => {
      attempts.push({ at: Date.now(), item });
      const response = await upstream(item);
      if (response.status === 200) delivered.push(item);
      return response;
    },
    logger: { warn: () => undefined, error: (_details, message) => errors.push(message) },
    clock: { now: () => Date.now() + clockStep, monotonic: () => Date.now() },
    random: () => 0.5,
  });
  opened.start();
  return opened;
}

async function reopen(): Promise<void> {
  await outbox.close(0);
  outbox = open();
}

/** Another program has the file: every write fails, as on a full disk. */
function refuseWrites(): () => void {
  const other = new DatabaseSync(join(dir, 'outbox.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

function emails(items: readonly OutgoingItem[]): unknown[] {
  return items.map(({ payload }) => Object(payload).email);
}

const SECRET = 'secret@example.com';

/** Returns whether any file of the folder has it as plain text. */
function isSecretKept(): boolean {
  return readdirSync(dir).some((name) => readFileSync(join(dir, name), 'latin1').includes(SECRET));
}

async function expectErasedAfterStart(): Promise<void> {
  expect(isSecretKept()).toBe(true);
  outbox = open();
  await vi.advanceTimersByTimeAsync(1_100);
  expect(isSecretKept()).toBe(false);
}

/** Fifteen hundred times something is put in, tried in vain or delivered; in the end only what is not secret waits. */
function comeAndGo(store: OutboxStore, kind: OutboxKind): void {
  const random = seeded(24);
  const pending: Message[] = [];
  const record = (message: Message, state: 'pending' | 'delivered') => {
    const error = state === 'pending' ? 'timed out '.repeat(1 + random() * 9) : null;
    store.record(message, { state, uncertain: state === 'pending', error });
  };
  for (let step = 0; step < 1_500; step++) {
    const at = Math.floor(random() * Math.min(pending.length, 20));
    const message = pending[at];
    if (message === undefined || random() < 0.45) {
      const isSecret = random() < 0.9;
      const payload = JSON.stringify({ text: isSecret ? SECRET : '', more: '.'.repeat(random() * 400) });
      const key = String(step);
      const added = store.add({ kind, payload, idempotencyKey: key, createdAt: 0, traceparent: null });
      if (isSecret) pending.push(added);
    } else if (random() < 0.3) record(message, 'pending');
    else {
      record(message, 'delivered');
      pending.splice(at, 1);
    }
  }
  for (const message of pending) record(message, 'delivered');
}

const subscribe = (email: string) => outbox.submit('subscription', { email });
const contact = (email: string) => outbox.submit('contact', { email });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'outbox-'));
  attempts = [];
  delivered = [];
  errors = [];
  clockStep = 0;
  upstream = up;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  outbox = open();
});

afterEach(async () => {
  await outbox.close(0);
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

describe('a backlog', () => {
  it('that a start finds is delivered at ten a second, all forms together', async () => {
    upstream = down;
    for (let index = 0; index < 10; index++) {
      await contact(`${index}@example.com`);
      await outbox.submit('opt-out', { email: `${index}@example.com` });
    }
    upstream = up;
    await reopen();
    await vi.advanceTimersByTimeAsync(950);
    expect(delivered).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(delivered).toHaveLength(20);
  });

  it('includes what came in after the last attempt', async () => {
    upstream = down;
    for (let index = 0; index < 10; index++) await contact(`${index}@example.com`);
    upstream = up;
    await vi.advanceTimersByTimeAsync(450);
    expect(delivered).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(500);
    expect(delivered).toHaveLength(10);
  });

  it('is tried as soon as another submission of its kind gets through', async () => {
    upstream = down;
    await contact('first@example.com');
    await vi.advanceTimersByTimeAsync(600_000);
    upstream = up;
    await contact('second@example.com');
    await vi.advanceTimersByTimeAsync(200);
    expect(emails(delivered)).toEqual(['second@example.com', 'first@example.com']);
  });

  it('of one kind does not hold up another', async () => {
    upstream = ({ kind }) => (kind === 'contact' ? down() : up());
    await contact('a@example.com');
    expect(await subscribe('a@example.com')).toBe('delivered');
  });

  it('is not blocked by an item that the upstream stumbles over', async () => {
    upstream = down;
    for (const name of ['bad', 'b', 'c']) await contact(`${name}@example.com`);
    upstream = async ({ payload }) => ({ status: Object(payload).email === 'bad@example.com' ? 500 : 200 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(emails(delivered)).toEqual(['b@example.com', 'c@example.com']);
    const tried = emails(attempts.map(({ item }) => item));
    // Behind the others after the third failure: not tried again between them.
    expect(tried[tried.lastIndexOf('b@example.com') + 1]).toBe('c@example.com');
    expect(await outbox.list()).toMatchObject([{ state: 'pending', lastError: 'status 500' }]);
  });

  it('is tried at once when an operator asks for it', async () => {
    upstream = down;
    await contact('a@example.com');
    await vi.advanceTimersByTimeAsync(100_000);
    const [entry] = await outbox.list();
    upstream = up;
    expect(await outbox.retry(entry?.id ?? 0)).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(delivered).toHaveLength(1);
    expect(await outbox.retry(entry?.id ?? 0)).toBe(false);
  });
});

describe('a repeat within a day', () => {
  it('of what was rejected is rejected, without another attempt', async () => {
    upstream = async () => ({ status: 422 });
    expect(await contact('a@example.com')).toBe('rejected');
    expect(await contact('a@example.com')).toBe('rejected');
    expect(attempts).toHaveLength(1);
  });

  it('is known whatever the order of its fields, across a restart, and when the clock is set', async () => {
    await outbox.submit('contact', { email: 'a@example.com', message: 'm' });
    await reopen();
    clockStep = 86_400_000 * 2;
    expect(await outbox.submit('contact', { message: 'm', email: 'a@example.com' })).toBe('delivered');
    expect(attempts).toHaveLength(1);
  });

  it('of a subscription goes to the upstream, which knows whether it has been cancelled since', async () => {
    expect(await subscribe('a@example.com')).toBe('delivered');
    upstream = async () => ({ status: 404 });
    expect(await subscribe('a@example.com')).toBe('already-subscribed');
  });
});

describe('a disk that refuses', () => {
  it('lets submissions through to the upstream, and never acknowledges what was neither', async () => {
    const recover = refuseWrites();
    expect(await contact('a@example.com')).toBe('delivered');
    upstream = down;
    await expect(contact('b@example.com')).rejects.toBeInstanceOf(OutboxUnavailable);
    recover();
    expect(await contact('b@example.com')).toBe('pending');
  });

  it('leaves rejected what an operator wanted to retry, and says so', async () => {
    upstream = async () => ({ status: 422 });
    expect(await contact('a@example.com')).toBe('rejected');
    const id = (await outbox.list())[0]?.id ?? 0;
    const recover = refuseWrites();
    await expect(outbox.retry(id)).rejects.toBeInstanceOf(OutboxUnavailable);
    expect(outbox.depth()).toMatchObject({ rejected: 1 });
    recover();
    upstream = up;
    expect(await outbox.retry(id)).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(emails(delivered)).toEqual(['a@example.com']);
  });

  it('causes no second delivery when it cannot record the first', async () => {
    let recover: () => void = () => undefined;
    upstream = async () => {
      recover = refuseWrites();
      return { status: 200 };
    };
    expect(await contact('a@example.com')).toBe('delivered');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await contact('a@example.com').catch(() => 'unavailable')).toBe('delivered');
    recover();
    await vi.advanceTimersByTimeAsync(600_000);
    await reopen();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toHaveLength(1);
  });

  it('records a delivery as soon as it takes writes again, though nothing else comes in', async () => {
    // What a start finds has been looked through.
    await vi.advanceTimersByTimeAsync(1);
    const gate = Promise.withResolvers<{ status: number }>();
    upstream = () => gate.promise;
    const told = contact('a@example.com');
    const recover = refuseWrites();
    gate.resolve({ status: 200 });
    expect(await told).toBe('delivered');
    expect(outbox.depth()).toMatchObject({ submissions: 1 });
    recover();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(outbox.depth()).toMatchObject({ submissions: 0 });
    expect(attempts).toHaveLength(1);
  });

  it('leaves views in memory, from where they are delivered each once', async () => {
    const recover = refuseWrites();
    outbox.countView(view);
    outbox.countView({ ...view, postId: '8' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(delivered.map(({ payload }) => Object(payload).postId)).toEqual(['7', '8']);
    recover();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(outbox.depth().views).toBe(0);
    expect(delivered).toHaveLength(2);
  });

  it('leaves at most 10,000 views in memory, and logs that more are dropped', async () => {
    upstream = down;
    const recover = refuseWrites();
    for (let index = 0; index < 10_050; index++) outbox.countView(view);
    expect(outbox.depth().views).toBe(10_000);
    await vi.advanceTimersByTimeAsync(300);
    expect(errors).toContain('more views than can be kept: some are not counted');
    recover();
  });
});

describe('the file', () => {
  it('holds nothing personal soon after the delivery, its log included', async () => {
    await contact(SECRET);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(readdirSync(dir).length).toBeGreaterThan(1);
    expect(isSecretKept()).toBe(false);
  });

  it('holds nothing personal soon after a start, whatever a killed process left in its log', async () => {
    await outbox.close(0);
    const killed = new DatabaseSync(join(dir, 'outbox.sqlite'));
    killed.exec(`PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 0;
      INSERT INTO items (kind, state, payload, idempotency_key, created_at)
        VALUES ('contact', 'waiting', '{"email":"${SECRET}"}', 'key', 0);
      UPDATE items SET state = 'delivered', payload = NULL;`);
    const left = readdirSync(dir).map((name) => [name, readFileSync(join(dir, name))] as const);
    killed.close();
    for (const [name, bytes] of left) writeFileSync(join(dir, name), bytes);
    await expectErasedAfterStart();
  });

  it('holds nothing personal, in whatever order its rows came and went', async () => {
    await outbox.close(0);
    const store = openOutboxStore(dir);
    comeAndGo(store, 'contact');
    store.truncateLog();
    expect(isSecretKept()).toBe(false);
    store.close();
    outbox = open();
  });

  it('holds no address of delivered views after maintenance', async () => {
    await outbox.close(0);
    const store = openOutboxStore(dir);
    comeAndGo(store, 'view');
    store.close();
    await expectErasedAfterStart();
  });

  it('of an older version is migrated, and its messages are delivered', async () => {
    await outbox.close(0);
    rmSync(join(dir, 'outbox.sqlite'));
    const old = new DatabaseSync(join(dir, 'outbox.sqlite'));
    old.exec(`
      CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL, payload TEXT,
        digest TEXT, idempotency_key TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        uncertain INTEGER NOT NULL DEFAULT 0, last_error TEXT, created_at INTEGER NOT NULL);
      CREATE INDEX items_waiting ON items (kind, id) WHERE state = 'waiting';
      CREATE INDEX items_digest ON items (digest) WHERE digest IS NOT NULL;
      CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
      INSERT INTO items (kind, state, payload, idempotency_key, created_at)
        VALUES ('contact', 'waiting', '{"email":"old@example.com"}', 'old-key', 0);
      PRAGMA user_version = 1;`);
    old.close();
    outbox = open();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(delivered).toMatchObject([
      { kind: 'contact', payload: { email: 'old@example.com' }, idempotencyKey: 'old-key' },
    ]);
  });

  it('of a newer version stays as it is', async () => {
    await outbox.close(0);
    const version = (set = '') => {
      const db = new DatabaseSync(join(dir, 'outbox.sqlite'));
      if (set) db.exec(set);
      const found = db.prepare('PRAGMA user_version').get()?.['user_version'];
      db.close();
      return found;
    };
    version('PRAGMA user_version = 99');
    outbox = open();
    expect(await contact('a@example.com')).toBe('delivered');
    await outbox.close(0);
    expect(version()).toBe(99);
  });
});

describe('a stop', () => {
  it('does not wait for an upstream that hangs, and keeps what was in flight', async () => {
    upstream = () => new Promise(() => undefined);
    void contact('a@example.com');
    const stopped = outbox.close(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    await expect(contact('b@example.com')).rejects.toBeInstanceOf(OutboxUnavailable);
    upstream = up;
    outbox = open();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(emails(delivered)).toEqual(['a@example.com']);
  });

  it('makes the outcome of a subscription in flight uncertain, so that 404 is its success', async () => {
    upstream = () => new Promise(() => undefined);
    void subscribe('a@example.com');
    const stopped = outbox.close(0);
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
    upstream = async () => ({ status: 404 });
    outbox = open();
    expect(await subscribe('a@example.com')).toBe('delivered');
  });

  it('keeps the view that was in flight from memory, once the disk takes it', async () => {
    upstream = () => new Promise(() => undefined);
    const recover = refuseWrites();
    outbox.countView(view);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(attempts).toHaveLength(1);
    recover();
    const closed = outbox.close(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    outbox = open();
    expect(outbox.depth().views).toBe(1);
    expect(errors).not.toContain('views could not be kept: they are not counted');
  });

  it('still delivers views that were just counted', async () => {
    outbox.countView(view);
    await outbox.close(1_000);
    expect(delivered).toHaveLength(1);
  });
});
