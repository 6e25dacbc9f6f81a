import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { type AttemptRecord, type NewItem, OutboxCount, type OutboxKind, OutboxRow } from './outbox-row.ts';
import { migrate } from './outbox-schema.ts';
import type { SharedView } from './peers.ts';
import { lockFolder, openPrivate } from './private-file.ts';

const LISTED = 500;

const WaitingView = z
  .object({ id: z.number(), payload: z.string(), idempotency_key: z.string(), created_at: z.number() })
  .transform(
    ({ id, payload, idempotency_key, created_at }): SharedView => ({
      id,
      payload,
      idempotencyKey: idempotency_key,
      createdAt: created_at,
    }),
  );

/**
 * Before a submission's payload, and more than a page of the file holds of one row: what is personal stands on pages of
 * its own, which are blanked when they are given back. Of a row that SQLite moves to another page to balance the two,
 * `secure_delete` leaves a copy behind.
 */
const BLANKS = ' '.repeat(4096);

/** Writing so many rows anew takes some ten milliseconds; more can wait until there are fewer. */
const MOST_COMPACTED = 10_000;

/** The outbox's file. Throws `OutboxLocked`, `OutboxTooNew`, or what the disk says. */
export function openOutboxStore(dir: string) {
  mkdirSync(dir, { recursive: true });
  const unlock = lockFolder(dir);
  let db: DatabaseSync | null = null;
  try {
    db = openPrivate(join(dir, 'outbox.sqlite'));
    return storeIn(db, unlock);
  } catch (error) {
    db?.close();
    unlock();
    throw error;
  }
}

export type OutboxStore = ReturnType<typeof openOutboxStore>;

function storeIn(db: DatabaseSync, unlock: () => void) {
  // NORMAL would not sync each commit: an answered submission could be lost with the power.
  db.exec(
    // In memory, because nothing personal is to be written elsewhere, and elsewhere may be read-only.
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;',
  );
  migrate(db);
  // A process that was killed may have been in the middle of an attempt.
  db.exec("UPDATE items SET uncertain = 1 WHERE state = 'waiting' AND uncertain = 0");

  const insert = db.prepare(
    `INSERT INTO items (kind, state, payload, digest, idempotency_key, created_at, uncertain)
     VALUES (?, 'waiting', ?, ?, ?, ?, ?)`,
  );
  const waiting = db.prepare(
    "SELECT * FROM items WHERE kind = ? AND state = 'waiting' AND id <> ? ORDER BY aside, id LIMIT 1",
  );
  const byId = db.prepare('SELECT * FROM items WHERE id = ?');
  const byKey = db.prepare("SELECT * FROM items WHERE idempotency_key = ? AND kind <> 'view'");
  const submissions = db.prepare(
    `SELECT * FROM items WHERE kind <> 'view' AND state = 'waiting' ORDER BY id LIMIT ${LISTED}`,
  );
  const views = db.prepare(
    // By id, which they are asked for: the index of what waits would have all of them sorted first.
    `SELECT id, payload, idempotency_key, created_at FROM items NOT INDEXED
     WHERE kind = 'view' AND state = 'waiting' AND id > ? AND created_at < ? ORDER BY id LIMIT ?`,
  );
  const forgottenViews = db.prepare(
    "DELETE FROM items WHERE kind = 'view' AND state = 'waiting' AND id <= ?",
  );
  const same = db.prepare('SELECT * FROM items WHERE digest = ? AND created_at > ? ORDER BY id DESC LIMIT 1');
  const attempted = db.prepare(
    `UPDATE items SET state = ?, attempts = attempts + 1, uncertain = ?, last_error = ?,
     payload = CASE WHEN ? IN ('delivered', 'answered') THEN NULL ELSE payload END WHERE id = ?`,
  );
  const aside = db.prepare(
    'UPDATE items SET aside = (SELECT max(aside) + 1 FROM items WHERE kind = ?) WHERE id = ?',
  );
  const listed = db.prepare(
    `SELECT * FROM items WHERE state IN ('waiting', 'refused') ORDER BY kind = 'view', id LIMIT ${LISTED}`,
  );
  const counted = db.prepare(
    `SELECT kind, state, count(*) AS n, min(created_at) AS oldest FROM items
     WHERE state IN ('waiting', 'refused') GROUP BY kind, state`,
  );
  const rows = db.prepare('SELECT count(*) AS n FROM items');
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM items');
  const again = db.prepare(
    "UPDATE items SET state = 'waiting', aside = 0 WHERE id = ? AND state = 'refused'",
  );
  const removed = db.prepare('DELETE FROM items WHERE id = ?');
  const settled = db.prepare("DELETE FROM items WHERE state IN ('delivered', 'answered') AND created_at < ?");
  const oldRefusedViews = db.prepare(
    `DELETE FROM items WHERE kind = 'view' AND state = 'refused' AND id <=
     (SELECT id FROM items WHERE kind = 'view' AND state = 'refused' ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );

  function one(statement: StatementSync, ...parameters: (string | number)[]): OutboxRow | null {
    const row = statement.get(...parameters);
    return row === undefined ? null : OutboxRow.parse(row);
  }

  /** Views are in the log when this returns, which outlives the process; they need no sync of the disk each. */
  function unsynced(work: () => void): void {
    db.exec('PRAGMA synchronous = NORMAL');
    try {
      work();
    } finally {
      db.exec('PRAGMA synchronous = FULL');
    }
  }

  function inOneCommit(work: () => void): void {
    db.exec('BEGIN');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  function put({ kind, payload, digest, idempotencyKey, createdAt, uncertain = false }: NewItem): number {
    const { lastInsertRowid } = insert.run(
      kind,
      kind === 'view' ? payload : BLANKS + payload,
      digest,
      idempotencyKey,
      createdAt,
      uncertain ? 1 : 0,
    );
    return Number(lastInsertRowid);
  }

  return {
    /** Bytes of this file's own that nobody can guess, the same each time. */
    secret(name: 'digest' | 'instance', create: () => Buffer): Buffer {
      const known = db.prepare('SELECT value FROM secrets WHERE name = ?').get(name)?.['value'];
      if (known instanceof Uint8Array) return Buffer.from(known);
      const made = create();
      db.prepare('INSERT INTO secrets (name, value) VALUES (?, ?)').run(name, made);
      return made;
    },
    /** On disk when it returns the new id. Throws when the disk refuses. */
    add: put,
    /** Many views at once. Throws when the disk refuses, and then has written none. */
    addViews(views: readonly NewItem[]): void {
      unsynced(() => inOneCommit(() => views.forEach(put)));
    },
    /** The one whose turn it is, other than `except`. */
    nextWaiting: (kind: OutboxKind, except = 0) => one(waiting, kind, except),
    get: (id: number) => one(byId, id),
    /** A submission by its idempotency key. */
    submission: (key: string) => one(byKey, key),
    /** The oldest, at most 500. */
    waitingSubmissions: () => submissions.all().map((row) => OutboxRow.parse(row)),
    /** Views that wait, by ascending id: those above `after` that came before `before` (wall-clock ms). */
    waitingViews: ({ after, before, most }: { after: number; before: number; most: number }): SharedView[] =>
      z.array(WaitingView).parse(views.all(after, before, most)),
    /** Views up to this id wait no longer; how many that were. */
    forgetViews: (upTo: number) => Number(forgottenViews.run(upTo).changes),
    sameSince: (digest: string, since: number) => one(same, digest, since),
    /** Erases the payload of what has arrived; a view that has arrived goes altogether. */
    recordAttempt({ id, kind }: OutboxRow, { state, uncertain, error }: AttemptRecord): void {
      const record = () => attempted.run(state, uncertain ? 1 : 0, error, state, id);
      if (kind !== 'view') record();
      else unsynced(() => (state === 'delivered' ? removed.run(id) : record()));
    },
    setAside: ({ id, kind }: OutboxRow): void => {
      aside.run(kind, id);
    },
    lastId: () => z.object({ id: z.number() }).parse(last.get()).id,
    list: () => listed.all().map((row) => OutboxRow.parse(row)),
    counts: () => z.array(OutboxCount).parse(counted.all()),
    retry: (id: number) => again.run(id).changes > 0,
    /** Settled items from before `time` (wall-clock ms), and refused views but for the last `refusedViews`. */
    forget(time: number, refusedViews: number): void {
      settled.run(time);
      oldRefusedViews.run(refusedViews);
    },
    /** Writes the file anew, where it is small: until then it holds addresses of views that have left it. */
    compact(): void {
      if (z.object({ n: z.number() }).parse(rows.get()).n <= MOST_COMPACTED) db.exec('VACUUM');
    },
    /** Empties the log: until then it holds what was erased. */
    erase(): void {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close(): void {
      db.close();
      unlock();
    },
  };
}
