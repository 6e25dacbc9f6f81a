import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { pause } from '#server/time.ts';
import { OUTBOX_KINDS, type OutboxKind } from '#shared/models/outbox-kinds.ts';
import { stateAfter } from './delivery.ts';
import {
  type Kept,
  MAX_IN_FLIGHT,
  MAX_LISTED,
  MAX_REJECTED,
  type Message,
  MessageCount,
  type MessageQueue,
  NOT_ATTEMPTED,
  OutboxEntry,
  type Outcome,
  type QueueOptions,
  REJECTED_KEPT_MS,
} from './message-types.ts';
import { openFile, openFolder } from './open-sqlite.ts';

/**
 * Stored before a payload: more than a page of the file holds of one row, so that personal data is on pages of its own,
 * which SQLite blanks when it frees them. `secure_delete` leaves a copy behind of a row that SQLite moves to another page
 * to balance the two. Views hold an address, and are too many for that.
 */
const PADDING = ' '.repeat(4096);
/** Due messages are looked for this often (ms), and after each delivery. */
const WORK_INTERVAL_MS = 100;
/** A disk that fails is tried again this often (ms), and what was delivered is erased from the write-ahead log. */
const MAINTENANCE_INTERVAL_MS = 30_000;
/** An outcome that the disk did not take is written again after this time (ms). */
const RECORD_RETRY_MS = 1_000;
/** Rejected messages that are erased at once, and how long (ms) before the next ones are: requests come first. */
const MAX_SWEPT = 200;
const SWEEP_PAUSE_MS = 100;

const Row = OutboxEntry.pick({ id: true, kind: true }).extend({
  payload: z.string().transform((text): unknown => JSON.parse(text)),
  failures: z.number(),
  createdAt: z.number(),
  traceparent: z.string().nullable(),
});
type Row = z.infer<typeof Row>;
const Oldest = z.object({ at: z.number() });

/** Opens the queue of one instance. Throws `OutboxUnusable`. A disk that fails later is tried again twice a minute. */
export function openSqliteQueue({ dir, process, now, backoff, logger }: QueueOptions & { dir: string }) {
  const { lock, ...opened } = openFolder(dir);
  let { db } = opened;
  /** Of the open file, by their text. */
  const statements = new LRUCache<string, StatementSync>({ max: 100, memoMethod: (sql) => db.prepare(sql) });
  const inFlight = new Map<string, { kind: OutboxKind; delivery: Promise<void> }>();
  const timers: NodeJS.Timeout[] = [];
  let counted: MessageCount[] = [];
  /** Set true only by what writes for certain: a full disk too takes a change of no rows. */
  let isUsable = true;
  let isClosing = false;

  const all = (sql: string, ...given: SQLInputValue[]) => statements.memo(sql).all(...given);
  const run = (sql: string, ...given: SQLInputValue[]) => Number(statements.memo(sql).run(...given).changes);

  /**
   * Runs a change. `isSynced`: waits for the disk, so that no loss of power undoes it; hundreds of such a second would hold
   * up readers. Throws where the disk does not take it.
   */
  function write<T>(change: () => T, { isSynced = false } = {}): T {
    try {
      db.exec(`PRAGMA synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`);
      db.exec('BEGIN IMMEDIATE');
      const result = change();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('ROLLBACK');
      if (isUsable) logger.error({ err: error, dir }, 'the disk of the outbox takes no messages');
      isUsable = false;
      throw error;
    }
  }

  /** The same for a change that may as well be made later. Returns null where it was not made. */
  function tryToWrite<T>(change: () => T): T | null {
    try {
      return write(change);
    } catch {
      return null;
    }
  }

  /** Opens the file of a disk that has failed again, and sees whether it has room. */
  function tryDisk(): void {
    try {
      statements.clear();
      if (db.isOpen) db.close();
      db = openFile(dir);
      write(() => db.exec('CREATE TABLE disk_check (n INTEGER); DROP TABLE disk_check;'));
      isUsable = true;
    } catch (error) {
      logger.error({ err: error, dir }, 'the disk of the outbox still takes no messages');
    }
  }

  /** Empties the write-ahead log, which holds what was deleted from the file; next time, where another process reads it. */
  function eraseLog(): void {
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      logger.error({ err: error }, 'delivered data could not be erased from the log of the outbox');
    }
  }

  function maintain(): void {
    if (!isUsable) tryDisk();
    if (isUsable) eraseLog();
  }

  /** Adds a message, or replaces the state of the one with its id. One that is pending waits: it was attempted just now. */
  function insert(message: Message, { state, reason, isCounted }: Kept): void {
    const { id, kind, payload, createdAt, traceparent } = message;
    const text = (kind === 'view' ? '' : PADDING) + JSON.stringify(payload);
    const dueAt = state === 'pending' ? now() + backoff(0) : now();
    run(
      `INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
       SET state = excluded.state, failures = excluded.failures, last_error = excluded.last_error, due_at = excluded.due_at`,
      ...[id, kind, state, text, Number(isCounted), reason, createdAt, dueAt, traceparent],
    );
  }

  const remove = (id: string) => run('DELETE FROM messages WHERE id = ?', id);

  const countNow = () => z.array(MessageCount).parse(all('SELECT kind, state, n FROM counts'));

  function makeDue(kind: OutboxKind): void {
    const later = `state = 'pending' AND kind = ? AND due_at > ?`;
    run(`UPDATE messages SET due_at = ? WHERE ${later}`, now(), kind, now());
  }

  /** Erases as many rejected messages as may be at once. Returns how many. */
  function sweepBatch(): number {
    const sql = `DELETE FROM messages WHERE rowid IN (SELECT rowid FROM messages
      WHERE state = 'rejected' AND kind = ? AND due_at < ? ORDER BY due_at LIMIT ?)`;
    let swept = 0;
    for (const kind of OUTBOX_KINDS) swept += run(sql, kind, now() - REJECTED_KEPT_MS, MAX_SWEPT);
    const rejected = countNow().filter(({ state }) => state === 'rejected');
    const [most] = rejected.sort((one, other) => other.n - one.n);
    const excess = rejected.reduce((sum, { n }) => sum + n, 0) - MAX_REJECTED;
    if (most && excess > 0) swept += run(sql, most.kind, now() + 1, Math.min(excess, MAX_SWEPT));
    return swept;
  }

  function nextOf(kind: OutboxKind): Row | null {
    const [row] = all(
      `SELECT id, kind, payload, failures, created_at AS createdAt, traceparent FROM messages
       WHERE state = 'pending' AND kind = ? AND due_at <= ? AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at, rowid LIMIT 1`,
      ...[kind, now(), JSON.stringify([...inFlight.keys()])],
    );
    return row ? Row.parse(row) : null;
  }

  /** Starts as many deliveries of messages that are due as there may be. */
  function work(): void {
    if (timers.length === 0 || isClosing || !db.isOpen) return;
    try {
      for (const kind of OUTBOX_KINDS)
        while (isFree(kind)) {
          const row = nextOf(kind);
          if (row === null) break;
          deliver(row);
        }
    } catch (error) {
      if (isUsable) logger.error({ err: error }, 'the outbox could not be read');
      isUsable = false;
    }
  }

  function isFree(kind: OutboxKind): boolean {
    const ofKind = [...inFlight.values()].filter((message) => message.kind === kind);
    return ofKind.length < MAX_IN_FLIGHT[kind];
  }

  function deliver({ failures, ...message }: Row): void {
    const delivery = process(message)
      .then((outcome) => record(message, failures, outcome))
      .finally(() => {
        inFlight.delete(message.id);
        work();
      });
    inFlight.set(message.id, { kind: message.kind, delivery });
  }

  /** Writes an outcome, as often as it takes: what was delivered must not be delivered again. */
  async function record(message: Message, before: number, outcome: Outcome): Promise<void> {
    const tryToRecord = () => tryToWrite(() => recordNow(message, before, outcome));
    while (tryToRecord() === null && !isClosing) await pause(RECORD_RETRY_MS);
  }

  function recordNow({ id, kind }: Message, before: number, { state, reason, isCounted }: Outcome): number {
    const failures = before + Number(isCounted);
    const left = stateAfter(kind, state, failures);
    if (left === null) return remove(id);
    const dueAt = now() + (left === 'pending' ? backoff(Math.max(1, failures - 1)) : 0);
    const set = 'UPDATE messages SET state = ?, failures = ?, last_error = ?, due_at = ? WHERE id = ?';
    return run(set, left, failures, reason, dueAt, id);
  }

  const queue: MessageQueue = {
    async add(messages, kept = NOT_ATTEMPTED) {
      write(
        () => {
          for (const message of messages) insert(message, kept);
        },
        // The power may take the views of the last moments with it.
        { isSynced: messages.some(({ kind }) => kind !== 'view') },
      );
      isUsable = true;
    },
    counts() {
      try {
        counted = countNow();
      } catch {
        // As of the last time.
      }
      return counted;
    },
    oldestSeconds() {
      try {
        const [row] = all(
          `SELECT IFNULL(MIN(created_at), ?) AS at FROM messages WHERE state = 'pending'`,
          now(),
        );
        return Math.max(0, (now() - Oldest.parse(row).at) / 1_000);
      } catch {
        return 0;
      }
    },
    async list() {
      const select = `SELECT id, kind, state, failures AS attempts, last_error AS lastError, created_at AS createdAt,
        IIF(state = 'pending', due_at, NULL) AS nextAttemptAt FROM messages WHERE kind = ? AND state =`;
      const ordered = [`${select} 'rejected' ORDER BY due_at DESC`, `${select} 'pending' ORDER BY due_at`];
      const rows = ordered.map((sql) => OUTBOX_KINDS.map((kind) => all(`${sql} LIMIT ${MAX_LISTED}`, kind)));
      return rows.flat(2).map((row) => OutboxEntry.parse(row));
    },
    async promote(kind) {
      tryToWrite(() => makeDue(kind));
      work();
    },
    async retry({ id, kind }) {
      const set = `UPDATE messages SET state = 'pending', failures = IIF(state = 'rejected', 0, failures), due_at = ?`;
      const retried = write(() =>
        id === undefined
          ? run(`${set} WHERE state = 'rejected' AND kind = IFNULL(?, kind)`, now(), kind ?? null)
          : run(`${set} WHERE id = ?`, now(), id),
      );
      work();
      return retried;
    },
    async discard({ id, kind }) {
      if (id !== undefined) return inFlight.has(id) ? 0 : write(() => remove(id));
      const sql = `DELETE FROM messages WHERE state = 'rejected' AND kind = IFNULL(?, kind)`;
      return write(() => run(sql, kind ?? null));
    },
    async sweep() {
      while (!isClosing && (tryToWrite(sweepBatch) ?? 0) > 0) await pause(SWEEP_PAUSE_MS);
    },
    start() {
      // An earlier process may have had a clock that went before ours.
      tryToWrite(() => OUTBOX_KINDS.forEach(makeDue));
      timers.push(setInterval(work, WORK_INTERVAL_MS).unref());
      timers.push(setInterval(maintain, MAINTENANCE_INTERVAL_MS).unref());
      work();
    },
    pause() {
      isClosing = true;
    },
    async close(graceMs) {
      isClosing = true;
      for (const timer of timers) clearInterval(timer);
      const deliveries = [...inFlight.values()].map(({ delivery }) => delivery);
      await Promise.race([Promise.all(deliveries), pause(graceMs)]);
      closeFile();
    },
  };

  /** Empties the write-ahead log too. */
  function closeFile(): void {
    if (db.isOpen) db.close();
    if (lock.isOpen) lock.close();
  }

  return {
    ...queue,
    isUsable: () => isUsable,
    closeImmediately(): void {
      isClosing = true;
      closeFile();
    },
  };
}
