import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type After,
  MAX_FAILURES,
  MAX_IN_FLIGHT,
  MAX_LISTED,
  MAX_REJECTED,
  type Message,
  type MessageCount,
  type MessageQueue,
  OUTBOX_KINDS,
  type OutboxKind,
  type Outcome,
  REJECTED_KEPT_MS,
} from './message.ts';
import { openFile, openFolder } from './sqlite-file.ts';

/**
 * Stored before a payload: more than a page of the file holds of one row, so that personal data is on pages of its own,
 * which SQLite blanks when it frees them. `secure_delete` leaves a copy behind of a row that SQLite moves to another page
 * to balance the two. Views hold an address, and are too many for that.
 */
const PADDING = ' '.repeat(4096);
/** How long personal data that was delivered may stay in the write-ahead log (ms). */
const ERASE_MS = 1_000;
/** A disk that fails is tried again this often (ms). */
const DISK_RETRY_MS = 60_000;
/** An outcome that the disk did not take is written again after this time (ms). */
const RECORD_RETRY_MS = 1_000;
/** Rows changed in one transaction, with a pause in between (ms): requests come first. */
const MAX_ROWS_PER_SLICE = 500;
const SLICE_PAUSE_MS = 20;

const Kind = z.enum(OUTBOX_KINDS);
const Row = z.object({
  id: z.string(),
  kind: Kind,
  payload: z.string().transform((text): unknown => JSON.parse(text)),
  failures: z.number(),
  createdAt: z.number(),
  traceparent: z.string().nullable(),
});
type Row = z.infer<typeof Row>;
const isoTime = z.number().transform((ms) => new Date(ms).toISOString());
const Listed = z.object({
  id: z.string(),
  kind: Kind,
  state: z.enum(['pending', 'rejected']),
  attempts: z.number(),
  lastError: z.string().nullable(),
  createdAt: isoTime,
  nextAttemptAt: isoTime.nullable(),
});
const Count = z.object({ kind: Kind, state: z.enum(['pending', 'rejected']), n: z.number() });
const NumberRow = z.object({ n: z.number().nullable() });

export interface SqliteQueueOptions {
  dir: string;
  /** Delivers a message, as soon as that may be. Never rejects. */
  process: (message: Message) => Promise<Outcome>;
  /** Told when a message is not pending any more. */
  onDone(message: Message): void;
  /** Wall milliseconds that no step of the clock changes. */
  now: () => number;
  /** How long a message waits after so many failures, in milliseconds. */
  backoff: (failures: number) => number;
  after: After;
  logger: { error(details: object, message: string): void };
}

/**
 * Opens the queue of one instance, in a file of its own. Throws `OutboxUnusable`. A disk that fails later is tried again
 * each minute.
 */
export function openSqliteQueue(options: SqliteQueueOptions) {
  const { dir, process, onDone, now, backoff, after, logger } = options;
  const { unlock, ...opened } = openFolder(dir);
  let { db } = opened;
  const inFlight = new Map<string, Promise<void>>();
  const working = new Map<OutboxKind, number>();
  const wakes = new Map<OutboxKind, () => void>();
  /** By kind and state. Kept here, so that nothing is counted by a scan. */
  const counts = new Map<string, MessageCount>();
  let isUsable = true;
  let isSynced = true;
  let isStarted = false;
  let isClosing = false;
  let cancelErase: (() => void) | null = null;
  let cancelDiskRetry: (() => void) | null = null;

  /** Of the open file, by their text. */
  const statements = new Map<string, StatementSync>();

  function prepared(sql: string): StatementSync {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const all = (sql: string, ...given: SQLInputValue[]) => prepared(sql).all(...given);
  const run = (sql: string, ...given: SQLInputValue[]) => Number(prepared(sql).run(...given).changes);
  const numberOf = (sql: string, ...given: SQLInputValue[]) => NumberRow.parse(prepared(sql).get(...given)).n;

  function countAll(): void {
    counts.clear();
    for (const row of all('SELECT kind, state, COUNT(*) AS n FROM messages GROUP BY kind, state')) {
      const count = Count.parse(row);
      counts.set(`${count.kind} ${count.state}`, count);
    }
    // An earlier process may have had a clock that went before ours.
    run(`UPDATE messages SET due_at = ? WHERE state = 'pending' AND due_at > ?`, now(), now());
  }
  countAll();

  /**
   * Runs a change, and waits for the disk unless it is of views alone: the power may take those of the last moments with
   * it, and hundreds a second would hold up readers. Where the disk does not take it, tries that again each minute, and
   * throws.
   */
  function write<T>(change: () => T, { isOfViews = false } = {}): T {
    try {
      if (isSynced === isOfViews) db.exec(`PRAGMA synchronous = ${isOfViews ? 'NORMAL' : 'FULL'}`);
      isSynced = !isOfViews;
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = change();
        db.exec('COMMIT');
        isUsable = true;
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      if (isUsable) logger.error({ err: error, dir }, 'the disk of the outbox takes no messages');
      isUsable = false;
      countAllAgain();
      if (!isClosing) cancelDiskRetry ??= after(DISK_RETRY_MS, tryDisk);
      throw error;
    }
  }

  /** A change that was undone may have been counted. */
  function countAllAgain(): void {
    try {
      countAll();
    } catch {
      // The disk cannot be read either.
    }
  }

  function tryDisk(): void {
    cancelDiskRetry = null;
    try {
      db.close();
    } catch {
      // It was closed by a failed opening before.
    }
    try {
      db = openFile(dir);
      isSynced = true;
      statements.clear();
      countAll();
      write(() => db.exec('CREATE TABLE disk_check (n INTEGER); DROP TABLE disk_check;'));
      wake();
    } catch (error) {
      logger.error({ err: error, dir }, 'the disk of the outbox still takes no messages');
      cancelDiskRetry ??= after(DISK_RETRY_MS, tryDisk);
    }
  }

  function count(kind: OutboxKind, state: MessageCount['state'], by: number): void {
    const key = `${kind} ${state}`;
    const n = (counts.get(key)?.n ?? 0) + by;
    counts.set(key, { kind, state, n });
  }

  /** A pending one was attempted just now. */
  function insert(message: Message, state: MessageCount['state'], reason: string | null): void {
    const { id, kind, payload, createdAt, traceparent } = message;
    if (kind !== 'view') {
      const [known] = all('SELECT state FROM messages WHERE id = ?', id);
      if (known?.['state'] === state) return;
      if (known) remove(id);
    }
    const dueAt = now() + (state === 'pending' ? backoff(0) : 0);
    const text = (kind === 'view' ? '' : PADDING) + JSON.stringify(payload);
    run(
      'INSERT INTO messages VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?)',
      ...[id, kind, state, text, reason, createdAt, dueAt, traceparent],
    );
    count(kind, state, 1);
  }

  function remove(id: string): boolean {
    const [found] = all('SELECT kind, state, 1 AS n FROM messages WHERE id = ?', id);
    if (!found) return false;
    const { kind, state } = Count.parse(found);
    run('DELETE FROM messages WHERE id = ?', id);
    count(kind, state, -1);
    if (kind !== 'view') eraseSoon();
    return true;
  }

  /** Empties the write-ahead log, which holds what was deleted from the file. */
  function eraseSoon(): void {
    if (isClosing) return;
    cancelErase ??= after(ERASE_MS, () => {
      cancelErase = null;
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        logger.error({ err: error }, 'delivered data could not be erased from the log of the outbox');
      }
    });
  }

  function nextOf(kind: OutboxKind, at: number): Row | null {
    const [row] = all(
      `SELECT id, kind, payload, failures, created_at AS createdAt, traceparent FROM messages
       WHERE state = 'pending' AND kind = ? AND due_at <= ? AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at, rowid LIMIT 1`,
      ...[kind, at, JSON.stringify([...inFlight.keys()])],
    );
    return row ? Row.parse(row) : null;
  }

  /** Starts as many deliveries as there may be, and plans to come back when the next message is due. */
  function work(kind: OutboxKind): void {
    wakes.get(kind)?.();
    wakes.delete(kind);
    if (!isStarted || isClosing) return;
    try {
      while ((working.get(kind) ?? 0) < MAX_IN_FLIGHT[kind]) {
        const at = now();
        const row = nextOf(kind, at);
        if (row === null) {
          planWork(kind, at);
          return;
        }
        deliver(row);
      }
    } catch (error) {
      logger.error({ err: error, kind }, 'the outbox could not be read');
      wakes.set(
        kind,
        after(DISK_RETRY_MS, () => work(kind)),
      );
    }
  }

  function planWork(kind: OutboxKind, at: number): void {
    const dueAt = numberOf(
      `SELECT MIN(due_at) AS n FROM messages WHERE state = 'pending' AND kind = ? AND due_at > ?`,
      ...[kind, at],
    );
    if (dueAt !== null)
      wakes.set(
        kind,
        after(Math.max(1, dueAt - now()), () => work(kind)),
      );
  }

  function wake(): void {
    for (const kind of OUTBOX_KINDS) work(kind);
  }

  function deliver({ failures, ...message }: Row): void {
    const { id, kind } = message;
    working.set(kind, (working.get(kind) ?? 0) + 1);
    const delivery = process(message)
      .then((outcome) => record(message, failures, outcome))
      .finally(() => {
        inFlight.delete(id);
        working.set(kind, (working.get(kind) ?? 1) - 1);
        work(kind);
      });
    inFlight.set(id, delivery);
  }

  /** Writes an outcome, as often as it takes: what was delivered must not be delivered again. */
  async function record(message: Message, failures: number, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        write(() => recordNow(message, failures, outcome), { isOfViews: message.kind === 'view' });
        break;
      } catch {
        if (isClosing || outcome.state === 'pending') break;
        await new Promise<void>((resolve) => after(RECORD_RETRY_MS, resolve));
      }
    }
    if (outcome.state !== 'pending') onDone(message);
  }

  function recordNow({ id, kind }: Message, before: number, { state, reason, isCounted }: Outcome): void {
    const failures = before + (isCounted ? 1 : 0);
    if (state === 'delivered' || state === 'already-subscribed') remove(id);
    else if (state === 'rejected' || failures >= MAX_FAILURES) reject(id, kind, failures, reason);
    else {
      const dueAt = now() + backoff(Math.max(1, failures));
      run(
        'UPDATE messages SET failures = ?, last_error = ?, due_at = ? WHERE id = ?',
        ...[failures, reason, dueAt, id],
      );
    }
  }

  function reject(id: string, kind: OutboxKind, failures: number, reason: string | null): void {
    if (kind === 'view') {
      remove(id);
      return;
    }
    const isKnown = run(
      `UPDATE messages SET state = 'rejected', failures = ?, last_error = ?, due_at = ? WHERE id = ?`,
      ...[failures, reason, now(), id],
    );
    if (isKnown === 0) return;
    count(kind, 'pending', -1);
    count(kind, 'rejected', 1);
  }

  async function sweep(): Promise<void> {
    for (;;) {
      const rows = all(
        `SELECT id FROM messages WHERE state = 'rejected' AND (due_at < ? OR rowid NOT IN
         (SELECT rowid FROM messages WHERE state = 'rejected' ORDER BY due_at DESC, rowid DESC LIMIT ${MAX_REJECTED}))
         LIMIT ${MAX_ROWS_PER_SLICE}`,
        now() - REJECTED_KEPT_MS,
      );
      if (rows.length === 0 || isClosing) return;
      write(() => {
        for (const { id } of rows) remove(String(id));
      });
      await new Promise<void>((resolve) => after(SLICE_PAUSE_MS, resolve));
    }
  }

  const queue = {
    async add(messages) {
      write(
        () => {
          for (const message of messages) insert(message, 'pending', null);
        },
        { isOfViews: messages.every(({ kind }) => kind === 'view') },
      );
      for (const kind of new Set(messages.map((message) => message.kind))) work(kind);
    },
    async addRejected(message, reason) {
      write(() => insert(message, 'rejected', reason));
    },
    counts: () => [...counts.values()],
    oldestSeconds() {
      try {
        const createdAt = numberOf(`SELECT MIN(created_at) AS n FROM messages WHERE state = 'pending'`);
        return createdAt === null ? 0 : Math.max(0, (now() - createdAt) / 1_000);
      } catch {
        return 0;
      }
    },
    async list() {
      const rows = all(
        `SELECT id, kind, state, failures AS attempts, last_error AS lastError, created_at AS createdAt,
         IIF(state = 'pending', due_at, NULL) AS nextAttemptAt FROM messages ORDER BY state = 'pending', due_at LIMIT ${MAX_LISTED}`,
      );
      return rows.map((row) => Listed.parse(row));
    },
    async retry({ id, kind }) {
      const rows = all(
        `SELECT id, kind, state, 1 AS n FROM messages WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR kind = ?2)
         AND (?1 IS NOT NULL OR state = 'rejected') LIMIT ${MAX_REJECTED}`,
        ...[id ?? null, kind ?? null],
      );
      write(() => {
        for (const row of rows) {
          const { kind: of, state } = Count.parse(row);
          run(
            `UPDATE messages SET state = 'pending', failures = 0, due_at = ? WHERE id = ?`,
            ...[now(), String(row['id'])],
          );
          count(of, state, -1);
          count(of, 'pending', 1);
        }
      });
      wake();
      return rows.length;
    },
    async discard(id) {
      return !inFlight.has(id) && write(() => remove(id));
    },
    promote(kind) {
      try {
        write(() =>
          run(
            `UPDATE messages SET due_at = ?1 WHERE rowid IN (SELECT rowid FROM messages
             WHERE state = 'pending' AND kind = ?2 AND due_at > ?1 LIMIT ${MAX_ROWS_PER_SLICE})`,
            ...[now(), kind],
          ),
        );
      } catch {
        // They are delivered when they are due.
      }
      work(kind);
    },
    sweep,
    start() {
      isStarted = true;
      eraseSoon();
      wake();
    },
    pause() {
      isStarted = false;
    },
    async close(graceMs) {
      isClosing = true;
      for (const cancel of [...wakes.values(), cancelErase, cancelDiskRetry]) cancel?.();
      const isOver = new Promise<void>((resolve) => after(graceMs, resolve));
      await Promise.race([Promise.all(inFlight.values()), isOver]);
      // Closing empties the write-ahead log.
      if (db.isOpen) db.close();
      unlock();
    },
  } satisfies MessageQueue;

  return {
    ...queue,
    /** False while the disk takes no messages. */
    isUsable: () => isUsable,
    /** Closes the file without waiting: the process is about to end. */
    closeImmediately(): void {
      isClosing = true;
      if (db.isOpen) db.close();
      unlock();
    },
  };
}
