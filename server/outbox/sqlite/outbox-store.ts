import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type AttemptRecord,
  type Message,
  type MessageCount,
  type MessageState,
  type MessageStore,
  type NewMessage,
  OpenState,
  OUTBOX_KINDS,
  type OutboxEntry,
  type OutboxKind,
  State,
  storedState,
} from '#server/outbox/message.ts';
import { digestSubmission } from '#server/outbox/submission-digests.ts';
import { createFolder } from '#server/storage/create-folder.ts';
import { migrate } from './outbox-schema.ts';
import { lockFolder, openPrivate } from './private-file.ts';

const MAX_LISTED = 500;
/** Pending messages of a kind among which one is looked for whose sender has no earlier one pending. */
const MAX_CANDIDATES = 100;
/** Rows that maintenance deletes at once. */
const MAX_ROWS_PER_DELETE = 500;
const DAY_MS = 86_400_000;

/**
 * Stored before a submission's payload: more than a page of the file holds of one row, so that personal data is on pages
 * of its own, which SQLite blanks when it frees them. `secure_delete` leaves a copy behind of a row that SQLite moves to
 * another page to balance the two.
 */
const PAYLOAD_PADDING = ' '.repeat(4096);

/** Vacuum only a file of at most so many pages in use (1 MiB): that takes some milliseconds. */
const MAX_VACUUM_PAGES = 256;
/** Pages of the write-ahead log (1 MiB) after which a commit copies them into the file. */
const CHECKPOINT_PAGES = 256;

const Kind = z.enum(OUTBOX_KINDS);
const COLUMNS = `id, kind, state, payload, idempotency_key AS idempotencyKey, attempts, uncertain, sender,
  created_at AS createdAt, traceparent`;
const Row = z.object({
  id: z.number(),
  kind: Kind,
  state: State,
  /** Null once delivered: personal data is not kept longer than it is needed. */
  payload: z.string().trim().nullable(),
  idempotencyKey: z.string(),
  attempts: z.number(),
  uncertain: z.number(),
  sender: z.string().nullable(),
  createdAt: z.number(),
  traceparent: z.string().nullable(),
});
const ListedRow = Row.pick({ id: true, kind: true, attempts: true }).extend({
  state: OpenState,
  lastError: z.string().nullable(),
  createdAt: z.number().transform((ms) => new Date(ms).toISOString()),
});
const Count = z.object({ kind: Kind, state: State, n: z.number() });

/** Opens the outbox's file. Throws `OutboxLocked`, `OutboxTooNew`, or the disk's error. */
export function openOutboxStore(dir: string) {
  createFolder(dir);
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

/** Opens a store in memory, for views that no disk takes. */
export function openMemoryStore(): OutboxStore {
  return storeIn(new DatabaseSync(':memory:'), () => undefined);
}

export type OutboxStore = ReturnType<typeof openOutboxStore>;

function storeIn(db: DatabaseSync, unlock: () => void) {
  db.exec(
    // FULL: with NORMAL a commit is not synced, and an acknowledged submission could be lost with the power.
    // Temporary files in memory: nothing personal is written elsewhere, and elsewhere may be read-only.
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; ' +
      `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  migrate(db);

  const insert = db.prepare(
    `INSERT INTO items (kind, state, payload, digest, sender, idempotency_key, created_at, traceparent)
     VALUES (?, 'waiting', ?, ?, ?, ?, ?, ?)`,
  );
  const nextView = db.prepare(
    `SELECT ${COLUMNS} FROM items WHERE kind = 'view' AND state = 'waiting'
     AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY aside, id LIMIT 1`,
  );
  // One sender's submissions go in order, of whatever kind they are. The window bounds the look at those that may not go.
  const nextSubmission = db.prepare(
    `SELECT ${COLUMNS} FROM items WHERE id = (
       SELECT id FROM (SELECT id, aside, sender FROM items WHERE kind = ? AND state = 'waiting' ORDER BY aside, id LIMIT ${MAX_CANDIDATES})
       AS candidate WHERE id NOT IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
         SELECT 1 FROM items AS earlier WHERE earlier.sender = candidate.sender AND earlier.state = 'waiting'
         AND earlier.aside = 0 AND earlier.id < candidate.id AND earlier.id <> ?)
       ORDER BY aside, id LIMIT 1)`,
  );
  const ofSender = db.prepare(
    `SELECT ${COLUMNS} FROM items WHERE sender = ? AND state = 'waiting' AND aside = 0 AND id > ? AND id < ?
     ORDER BY id LIMIT 1`,
  );
  const oldestOf = db.prepare(
    `SELECT ${COLUMNS} FROM items WHERE kind = ? AND state = 'waiting' ORDER BY aside, id LIMIT ?`,
  );
  const byId = db.prepare(`SELECT ${COLUMNS} FROM items WHERE id = ?`);
  const same = db.prepare(
    `SELECT ${COLUMNS} FROM items WHERE digest = ? AND created_at > ? ORDER BY id DESC LIMIT 1`,
  );
  const attempted = db.prepare(
    `UPDATE items SET state = ?, attempts = attempts + 1, uncertain = ?, last_error = ?,
     payload = CASE WHEN ? IN ('delivered', 'answered') THEN NULL ELSE payload END WHERE id = ?`,
  );
  const movedToBack = db.prepare(
    `UPDATE items SET aside = (SELECT max(aside) + 1 FROM items WHERE kind = ? AND state = 'waiting') WHERE id = ?`,
  );
  const LIST =
    'SELECT id, kind, state, attempts, last_error AS lastError, created_at AS createdAt FROM items WHERE kind = ?';
  const listedPending = db.prepare(`${LIST} AND state = 'waiting' ORDER BY aside, id LIMIT ?`);
  const listedRejected = db.prepare(`${LIST} AND state = 'refused' ORDER BY id LIMIT ?`);
  const counted = db.prepare('SELECT * FROM counts');
  const oldest = db.prepare("SELECT min(created_at) AS at FROM items WHERE state = 'waiting'");
  const retried = db.prepare(
    "UPDATE items SET state = 'waiting', aside = 0 WHERE id = ? AND state = 'refused'",
  );
  const removed = db.prepare('DELETE FROM items WHERE id = ?');
  const oldCompleted = db.prepare(
    `DELETE FROM items WHERE id IN (SELECT id FROM items
     WHERE state IN ('delivered', 'answered') AND created_at < ? ORDER BY created_at LIMIT ${MAX_ROWS_PER_DELETE})`,
  );
  const oldRejectedViews = db.prepare(
    `DELETE FROM items WHERE id IN (SELECT id FROM items WHERE kind = 'view' AND state = 'refused' AND id <=
     (SELECT id FROM items WHERE kind = 'view' AND state = 'refused' ORDER BY id DESC LIMIT 1 OFFSET ?) LIMIT ${MAX_ROWS_PER_DELETE})`,
  );
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM items').get();
  /** What was pending before this process: an earlier one may have been in the middle of an attempt. */
  const lastOfEarlierProcess = z.object({ id: z.number() }).parse(last).id;
  const secret = readSecret();

  function readSecret(): Buffer {
    const known = db.prepare("SELECT value FROM secrets WHERE name = 'digest'").get()?.['value'];
    if (known instanceof Uint8Array) return Buffer.from(known);
    const made = randomBytes(32);
    db.prepare("INSERT INTO secrets (name, value) VALUES ('digest', ?)").run(made);
    return made;
  }

  function one(statement: StatementSync, ...parameters: (string | number)[]): Message | null {
    const row = statement.get(...parameters);
    return row === undefined ? null : messageOf(row);
  }

  function messageOf(found: unknown): Message {
    const row = Row.parse(found);
    return {
      ...row,
      payload: row.payload ?? 'null',
      uncertain: row.uncertain === 1 || row.id <= lastOfEarlierProcess,
      isInFlightElsewhere: false,
      store,
    };
  }

  /** For views: in the log when this returns, which outlives the process, though not the power. */
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

  function put(message: NewMessage): number {
    const { kind, payload, idempotencyKey, createdAt, traceparent } = message;
    const { digest, sender } =
      kind === 'view' ? { digest: null, sender: null } : digestSubmission(secret, message);
    const kept = kind === 'view' ? payload : PAYLOAD_PADDING + payload;
    const given = [kind, kept, digest, sender, idempotencyKey, createdAt, traceparent];
    return Number(insert.run(...given).lastInsertRowid);
  }

  const store = {
    /** Adds a message, which is on disk when this returns. Throws where the disk refuses. */
    add(message: NewMessage): Message {
      const added = one(byId, put(message));
      if (!added) throw new Error('what was written is not there');
      return added;
    },
    /** Adds views, all or none. Throws where the disk refuses. */
    addViews(views: readonly NewMessage[]): void {
      unsynced(() => inOneCommit(() => views.forEach(put)));
    },
    /** Returns the last submission of a day with the same content. */
    sameAs: (message: NewMessage): Message | null =>
      one(same, digestSubmission(secret, message).digest, message.createdAt - DAY_MS),
    next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Message | null {
      const own = [...inFlight].filter((message) => message.store === store);
      const ids = JSON.stringify(own.map(({ id }) => id));
      return kind === 'view' ? one(nextView, ids) : one(nextSubmission, kind, ids, Number(suspect?.id ?? 0));
    },
    earlierOf: ({ sender, id }: Message, after: Message | null): Message | null =>
      sender === null ? null : one(ofSender, sender, Number(after?.id ?? 0), Number(id)),
    /** Returns whether a submission of the same sender is pending. */
    hasOfSender(message: NewMessage): boolean {
      const { sender } = digestSubmission(secret, message);
      return sender !== null && one(ofSender, sender, 0, Number.MAX_SAFE_INTEGER) !== null;
    },
    /** Returns the first pending messages, at most `most`. */
    pending: (kind: OutboxKind, most: number): Message[] => oldestOf.all(kind, most).map(messageOf),
    stateOf: ({ id }: Message): MessageState => one(byId, Number(id))?.state ?? 'delivered',
    /** Erases the payload of a delivered submission; deletes a delivered view. */
    record({ id, kind }: Message, { state, uncertain, error }: AttemptRecord): void {
      const stored = storedState(state);
      const record = () => attempted.run(stored, uncertain ? 1 : 0, error, stored, id);
      if (kind !== 'view') record();
      else unsynced(() => (state === 'delivered' ? removed.run(id) : record()));
    },
    moveToBack({ id, kind }: Message): void {
      movedToBack.run(kind, id);
    },
    remove(messages: readonly Message[]): void {
      inOneCommit(() => {
        for (const { id } of messages) removed.run(id);
      });
    },
    list(): OutboxEntry[] {
      const rows: OutboxEntry[] = [];
      for (const statement of [listedRejected, listedPending])
        for (const kind of OUTBOX_KINDS)
          rows.push(...z.array(ListedRow).parse(statement.all(kind, MAX_LISTED - rows.length)));
      return rows;
    },
    counts: (): MessageCount[] => z.array(Count).parse(counted.all()),
    oldestSeconds(now: number): number {
      const { at } = z.object({ at: z.number().nullable() }).parse(oldest.get());
      return Math.round(Math.max(0, now - (at ?? now)) / 1000);
    },
    retry(id: number): OutboxKind | null {
      const message = one(byId, id);
      const isPending = message?.state === 'pending' || retried.run(id).changes > 0;
      return message && isPending ? message.kind : null;
    },
    /** Deletes a slice of completed messages from before `time` (wall-clock ms) and of rejected views but the last `rejectedViews`; false when none are left. */
    deleteOld(time: number, rejectedViews: number): boolean {
      const { changes } = oldCompleted.run(time);
      return Number(changes) + Number(oldRejectedViews.run(rejectedViews).changes) >= MAX_ROWS_PER_DELETE;
    },
    /** Vacuums a file that has little in use: its free pages still hold addresses of deleted views. */
    vacuum(): void {
      const pages = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
      if (pages('page_count') - pages('freelist_count') <= MAX_VACUUM_PAGES) db.exec('VACUUM');
    },
    /** Empties the write-ahead log: until then it holds what was erased. */
    truncateLog(): void {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close(): void {
      db.close();
      unlock();
    },
  } satisfies MessageStore & Record<string, unknown>;
  return store;
}
