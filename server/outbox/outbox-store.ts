import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type AttemptRecord,
  ListedRow,
  type NewItem,
  OUTBOX_KINDS,
  OutboxCount,
  type OutboxKind,
  OutboxRow,
} from './outbox-row.ts';
import { migrate } from './outbox-schema.ts';
import type { SharedView } from './peers.ts';
import { lockFolder, openPrivate } from './private-file.ts';

const LISTED = 500;
/** Pending messages of a kind that are looked at for one whose sender has no earlier one pending. */
const WINDOW = 100;
/** Rows that maintenance deletes at once. */
const SLICE = 500;

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

/** Pages in use (1 MiB) that are written anew within some milliseconds; more can wait until there are fewer. */
const MOST_COMPACTED = 256;
/** Pages of the log (1 MiB) after which a commit copies them into the file. */
const CHECKPOINT_PAGES = 256;

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
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; ' +
      `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  migrate(db);
  const insert = db.prepare(
    `INSERT INTO items (kind, state, payload, digest, idempotency_key, created_at, uncertain, sender)
     VALUES (?, 'waiting', ?, ?, ?, ?, ?, ?)`,
  );
  const waitingView = db.prepare(
    `SELECT * FROM items WHERE kind = 'view' AND state = 'waiting'
     AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY aside, id LIMIT 1`,
  );
  // One sender's submissions go in order, of whatever kind they are. The window bounds the look at those that may not go.
  const waiting = db.prepare(
    `SELECT * FROM items WHERE id = (
       SELECT id FROM (SELECT id, aside, sender FROM items WHERE kind = ? AND state = 'waiting' ORDER BY aside, id LIMIT ${WINDOW})
       AS candidate WHERE id NOT IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
         SELECT 1 FROM items AS earlier WHERE earlier.sender = candidate.sender AND earlier.state = 'waiting'
         AND earlier.aside = 0 AND earlier.id < candidate.id AND earlier.id <> ?)
       ORDER BY aside, id LIMIT 1)`,
  );
  const earlier = db.prepare(
    "SELECT * FROM items WHERE sender = ? AND state = 'waiting' AND aside = 0 AND id < ? ORDER BY id LIMIT ?",
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
    `UPDATE items SET aside = (SELECT max(aside) + 1 FROM items WHERE kind = ? AND state = 'waiting') WHERE id = ?`,
  );
  const listed = db.prepare(
    `SELECT id, kind, state, attempts, last_error, created_at FROM items
     WHERE kind = ? AND state = 'waiting' ORDER BY aside, id LIMIT ?`,
  );
  const listedRefused = db.prepare(
    `SELECT id, kind, state, attempts, last_error, created_at FROM items
     WHERE kind = ? AND state = 'refused' ORDER BY id LIMIT ?`,
  );
  const counted = db.prepare('SELECT * FROM counts');
  const oldest = db.prepare("SELECT min(created_at) AS at FROM items WHERE state = 'waiting'");
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM items');
  const again = db.prepare(
    "UPDATE items SET state = 'waiting', aside = 0 WHERE id = ? AND state = 'refused'",
  );
  const removed = db.prepare('DELETE FROM items WHERE id = ?');
  const settled = db.prepare(
    `DELETE FROM items WHERE id IN (SELECT id FROM items
     WHERE state IN ('delivered', 'answered') AND created_at < ? ORDER BY created_at LIMIT ${SLICE})`,
  );
  const oldRefusedViews = db.prepare(
    `DELETE FROM items WHERE id IN (SELECT id FROM items WHERE kind = 'view' AND state = 'refused' AND id <=
     (SELECT id FROM items WHERE kind = 'view' AND state = 'refused' ORDER BY id DESC LIMIT 1 OFFSET ?) LIMIT ${SLICE})`,
  );
  const Id = z.object({ id: z.number() });
  /** What was pending before this process: an earlier one may have been in the middle of an attempt. */
  const lastOfOthers = Id.parse(last.get()).id;

  function rowOf(found: unknown): OutboxRow {
    const row = OutboxRow.parse(found);
    return row.id <= lastOfOthers ? { ...row, uncertain: 1 } : row;
  }

  function one(statement: StatementSync, ...parameters: (string | number)[]): OutboxRow | null {
    const row = statement.get(...parameters);
    return row === undefined ? null : rowOf(row);
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

  function put(item: NewItem): number {
    const { kind, payload, digest, sender, idempotencyKey, createdAt, uncertain = false } = item;
    const { lastInsertRowid } = insert.run(
      kind,
      kind === 'view' ? payload : BLANKS + payload,
      digest,
      idempotencyKey,
      createdAt,
      uncertain ? 1 : 0,
      sender,
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
    /** The one whose turn it is, other than `except`; `suspect` does not hold up its sender's others. */
    nextWaiting(kind: OutboxKind, except: readonly number[], suspect = 0): OutboxRow | null {
      const ids = JSON.stringify(except);
      return kind === 'view' ? one(waitingView, ids) : one(waiting, kind, ids, suspect);
    },
    /** Submissions of a sender that wait before this one, at most `most`. */
    earlierOf: (sender: string, id: number, most: number) => earlier.all(sender, id, most).map(rowOf),
    get: (id: number) => one(byId, id),
    /** A submission by its idempotency key. */
    submission: (key: string) => one(byKey, key),
    /** The oldest, at most 500. */
    waitingSubmissions: () => submissions.all().map(rowOf),
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
    /** Submissions first, those that were refused before those that wait; at most 500. */
    list(): ListedRow[] {
      const rows: ListedRow[] = [];
      for (const kind of OUTBOX_KINDS)
        for (const statement of [listedRefused, listed])
          rows.push(...z.array(ListedRow).parse(statement.all(kind, LISTED - rows.length)));
      return rows;
    },
    counts: () => z.array(OutboxCount).parse(counted.all()),
    /** When the oldest that waits was put in (wall-clock ms); null where none waits. */
    oldest: () => z.object({ at: z.number().nullable() }).parse(oldest.get()).at,
    retry: (id: number) => again.run(id).changes > 0,
    /** Deletes some settled items from before `time` (wall-clock ms) and some refused views but the last `refusedViews`; false when none are left. */
    forget(time: number, refusedViews: number): boolean {
      const { changes } = settled.run(time);
      return Number(changes) + Number(oldRefusedViews.run(refusedViews).changes) >= SLICE;
    },
    /** Writes the file anew, where little of it is in use: until then it holds addresses of views that have left it. */
    compact(): void {
      const pages = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
      if (pages('page_count') - pages('freelist_count') <= MOST_COMPACTED) db.exec('VACUUM');
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
