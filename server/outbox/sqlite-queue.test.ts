import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeQueue, messageOf, untilPromoted } from '../../tests/redis/queue-contract.ts';
import type { Outcome, QueueOptions } from './message-types.ts';
import { openSqliteQueue } from './sqlite-queue.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'queue-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

const logger = { error: () => undefined };
const open = (options: Partial<QueueOptions> = {}) =>
  openSqliteQueue({
    dir,
    process: async () => ({ state: 'pending', reason: 'status 500', isCounted: false }),
    now: Date.now,
    backoff: untilPromoted,
    logger,
    ...options,
  });

describe('the queue in SQLite', () => {
  describeQueue(async (options) => open(options), 10_000);
});

describe('the file of the queue', () => {
  const SECRET = 'secret@example.com';
  const isSecretKept = () =>
    readdirSync(dir).some((name) => readFileSync(join(dir, name), 'latin1').includes(SECRET));
  const secret = (i: number) => ({
    ...messageOf(String(i)),
    payload: { email: SECRET, message: '.'.repeat((i * 37) % 900) },
  });

  it('holds nothing of what was delivered half a minute ago, nor its log', async () => {
    vi.useFakeTimers();
    const pendingMessages = new Map<string, (outcome: Outcome) => void>();
    const queue = open({
      process: ({ id }) => new Promise((resolve) => pendingMessages.set(id, resolve)),
    });
    queue.start();
    for (let i = 0; i < 300; i++) await queue.add([secret(i)]);
    expect(isSecretKept()).toBe(true);
    while (queue.counts().some(({ n }) => n > 0)) {
      for (const resolve of pendingMessages.values())
        resolve({ state: 'delivered', reason: null, isCounted: true });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect(isSecretKept()).toBe(false);
    const closing = queue.close(0);
    await vi.advanceTimersByTimeAsync(0);
    await closing;
  });

  it('holds nothing of what was discarded', async () => {
    vi.useFakeTimers();
    const queue = open();
    queue.start();
    await queue.add([secret(1)], { state: 'rejected', reason: 'status 400', isCounted: true });
    expect(await queue.discard({ id: secret(1).id })).toBe(1);
    vi.advanceTimersByTime(30_000);
    expect(isSecretKept()).toBe(false);
    const closing = queue.close(0);
    vi.advanceTimersByTime(0);
    await closing;
  });

  it('holds nothing of it either once another process has read its copy to the end', async () => {
    vi.useFakeTimers();
    const queue = open();
    queue.start();
    await queue.add([secret(1)], { state: 'rejected', reason: 'status 400', isCounted: true });
    const copy = new DatabaseSync(join(dir, 'messages.sqlite'));
    copy.exec('BEGIN; SELECT COUNT(*) FROM messages');
    await queue.discard({ id: secret(1).id });
    vi.advanceTimersByTime(30_000);
    copy.close();
    expect(isSecretKept()).toBe(true);
    vi.advanceTimersByTime(30_000);
    expect(isSecretKept()).toBe(false);
    const closing = queue.close(0);
    vi.advanceTimersByTime(0);
    await closing;
  });

  it('can be read by its owner alone, as all that is beside it', async () => {
    const queue = open();
    await queue.add([messageOf('1')]);
    for (const name of readdirSync(dir))
      expect([name, statSync(join(dir, name)).mode & 0o077]).toEqual([name, 0]);
    await queue.close(0);
  });

  it('has what was added when the process is killed', async () => {
    const queue = open();
    await queue.add([messageOf('1')]);
    const copy = mkdtempSync(join(tmpdir(), 'queue-'));
    for (const name of ['messages.sqlite', 'messages.sqlite-wal']) cpSync(join(dir, name), join(copy, name));
    await queue.close(0);
    dir = copy;
    const next = open();
    expect(await next.list()).toMatchObject([{ id: 'message-1', state: 'pending' }]);
    await next.close(0);
  });

  it('is open in one process at a time', async () => {
    const queue = open();
    expect(open).toThrow(/another server works on/);
    await queue.close(0);
    await open().close(0);
  });

  it('of a newer version stops the start, with one line', async () => {
    await open().close(0);
    const file = new DatabaseSync(join(dir, 'messages.sqlite'));
    file.exec('PRAGMA user_version = 99');
    file.close();
    expect(open).toThrow(/^[^\n]*messages\.sqlite is of a newer version[^\n]*$/);
  });

  it('without counts, as a server of an earlier build left it, has them and its messages after the start', async () => {
    const earlier = open();
    await earlier.add([messageOf('1'), messageOf('2', 'view')]);
    await earlier.close(0);
    const file = new DatabaseSync(join(dir, 'messages.sqlite'));
    for (const trigger of ['message_added', 'message_removed', 'message_changed'])
      file.exec(`DROP TRIGGER ${trigger}`);
    file.exec('DROP TABLE counts; PRAGMA user_version = 1');
    file.close();
    const queue = open();
    expect(queue.counts()).toEqual([
      { kind: 'contact', state: 'pending', n: 1 },
      { kind: 'view', state: 'pending', n: 1 },
    ]);
    await queue.close(0);
  });

  it.each([
    ['waiting', true],
    ['refused', true],
    ['delivered', false],
  ])('of the version before with a message that is %s: stops the start is %s', async (state, stops) => {
    const file = new DatabaseSync(join(dir, 'outbox.sqlite'));
    file.exec(`CREATE TABLE items (state TEXT); INSERT INTO items VALUES ('${state}')`);
    file.close();
    if (stops)
      expect(open).toThrow(
        /^[^\n]*outbox\.sqlite holds 1 messages of the version before: run that one[^\n]*$/,
      );
    else await open().close(0);
  });

  it('that takes nothing is tried again: what was added while it did not is refused, and it is used when it is back', async () => {
    vi.useFakeTimers();
    const queue = open();
    queue.start();
    const refuseWrites = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation((sql) => {
      if (sql.startsWith('BEGIN')) throw new Error('database or disk is full');
    });
    await expect(queue.add([messageOf('1')])).rejects.toThrow('full');
    expect(queue.isUsable()).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(queue.isUsable()).toBe(false);
    refuseWrites.mockRestore();
    vi.advanceTimersByTime(60_000);
    expect(queue.isUsable()).toBe(true);
    await queue.add([messageOf('1')]);
    expect(queue.counts()).toContainEqual({ kind: 'contact', state: 'pending', n: 1 });
    await queue.close(0);
  });

  it('on a full disk takes a batch whole or not at all, delivers what it holds, and takes messages again when there is room', async () => {
    const files: DatabaseSync[] = [];
    const { exec } = DatabaseSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      files.push(this);
      exec.call(this, sql);
    });
    const attempts: string[] = [];
    const queue = open({
      async process({ id }) {
        attempts.push(id);
        return { state: 'delivered', reason: null, isCounted: true };
      },
      backoff: () => 1,
    });
    await queue.add([messageOf('held')]);
    // SQLite's own bound fails a write as a full disk does. No less than the file has: nothing more fits.
    files.at(-1)?.exec('PRAGMA max_page_count = 1');
    const batch = Array.from({ length: 20 }, (_, i) => messageOf(String(i)));
    await expect(queue.add(batch)).rejects.toThrow('full');
    // What changes nothing writes nothing.
    await queue.discard({ id: 'message-0' });
    await queue.promote('view');
    expect(queue.isUsable()).toBe(false);
    expect(queue.counts()).toEqual([{ kind: 'contact', state: 'pending', n: 1 }]);
    queue.start();
    await expect.poll(() => attempts).toEqual(['message-held']);
    await expect.poll(() => queue.list()).toEqual([]);
    files.at(-1)?.exec('PRAGMA max_page_count = 100000');
    await queue.add(batch);
    expect(queue.isUsable()).toBe(true);
    await expect.poll(() => attempts).toHaveLength(21);
    await queue.close(1_000);
    vi.restoreAllMocks();
  });
});
