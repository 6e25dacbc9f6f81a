import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type AttemptRecord,
  type Message,
  type MessageStore,
  type NewMessage,
  OUTBOX_KINDS,
  OUTBOX_STATES,
  type OutboxEntry,
  type OutboxKind,
  type OutboxState,
} from '#server/outbox/message.ts';
import { createSubmissionDigests } from '#server/outbox/submission-digests.ts';
import { migrate } from './outbox-schema.ts';
import { lockFolder, openPrivate } from './private-file.ts';

const LISTED = 500;
/** Pending messages of a kind that are looked at for one whose sender has no earlier one pending. */
const WINDOW = 100;
/** Rows that maintenance deletes at once. */
const SLICE = 500;
const DAY_MS = 86_400_000;

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

const Kind = z.enum(OUTBOX_KINDS);
const State = z.enum(OUTBOX_STATES);
const Row = z.object({
  id: z.number(),
  kind: Kind,
  state: State,
  /** Null once delivered: personal data is not kept longer than it is needed. */
  payload: z.string().trim().nullable(),
  idempotency_key: z.string(),
  attempts: z.number(),
  uncertain: z.number(),
  sender: z.string().nullable(),
  created_at: z.number(),
});
const ListedRow = Row.pick({ id: true, kind: true, attempts: true, created_at: true }).extend({
  state: z.enum(['waiting', 'refused']),
  last_error: z.string().nullable(),
});
const Count = z.object({ kind: Kind, state: State, n: z.number() });

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

/** A store in memory, for views that no disk takes. */
export function openMemoryStore(): OutboxStore {
  return storeIn(new DatabaseSync(':memory:'), () => undefined);
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
    `INSERT INTO items (kind, state, payload, digest, sender, idempotency_key, created_at)
     VALUES (?, 'waiting', ?, ?, ?, ?, ?)`,
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
  const oldestOf = db.prepare(
    "SELECT * FROM items WHERE kind = ? AND state = 'waiting' ORDER BY aside, id LIMIT ?",
  );
  const byId = db.prepare('SELECT * FROM items WHERE id = ?');
  const same = db.prepare('SELECT * FROM items WHERE digest = ? AND created_at > ? ORDER BY id DESC LIMIT 1');
  const attempted = db.prepare(
    `UPDATE items SET state = ?, attempts = attempts + 1, uncertain = ?, last_error = ?,
     payload = CASE WHEN ? IN ('delivered', 'answered') THEN NULL ELSE payload END WHERE id = ?`,
  );
  const aside = db.prepare(
    `UPDATE items SET aside = (SELECT max(aside) + 1 FROM items WHERE kind = ? AND state = 'waiting') WHERE id = ?`,
  );
  const LIST = 'SELECT id, kind, state, attempts, last_error, created_at FROM items WHERE kind = ?';
  const listed = db.prepare(`${LIST} AND state = 'waiting' ORDER BY aside, id LIMIT ?`);
  const listedRefused = db.prepare(`${LIST} AND state = 'refused' ORDER BY id LIMIT ?`);
  const counted = db.prepare('SELECT * FROM counts');
  const oldest = db.prepare("SELECT min(created_at) AS at FROM items WHERE state = 'waiting'");
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
  const last = db.prepare('SELECT coalesce(max(id), 0) AS id FROM items').get();
  /** What was pending before this process: an earlier one may have been in the middle of an attempt. */
  const lastOfOthers = z.object({ id: z.number() }).parse(last).id;
  const digests = createSubmissionDigests(secret());

  function secret(): Buffer {
    const known = db.prepare("SELECT value FROM secrets WHERE name = 'digest'").get()?.['value'];
    if (known instanceof Uint8Array) return Buffer.from(known);
    const made = randomBytes(32);
    db.prepare("INSERT INTO secrets (name, value) VALUES ('digest', ?)").run(made);
    return made;
  }

  function messageOf(found: unknown): Message {
    const { payload, idempotency_key, uncertain, created_at, ...row } = Row.parse(found);
    return {
      ...row,
      payload: payload ?? 'null',
      idempotencyKey: idempotency_key,
      uncertain: uncertain === 1 || row.id <= lastOfOthers,
      createdAt: created_at,
      isElsewhere: false,
      store,
    };
  }

  function one(statement: StatementSync, ...parameters: (string | number)[]): Message | null {
    const row = statement.get(...parameters);
    return row === undefined ? null : messageOf(row);
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

  function idsOf(messages: Iterable<Message>): number[] {
    return [...messages].filter((message) => message.store === store).map(({ id }) => Number(id));
  }

  function put({ kind, payload, idempotencyKey, createdAt }: NewMessage): number {
    const { digest, sender } = kind === 'view' ? { digest: null, sender: null } : digests.of(kind, payload);
    const kept = kind === 'view' ? payload : BLANKS + payload;
    return Number(insert.run(kind, kept, digest, sender, idempotencyKey, createdAt).lastInsertRowid);
  }

  const store = {
    /** On disk when it returns. Throws where the disk refuses. */
    add(message: NewMessage): Message {
      const added = one(byId, put(message));
      if (!added) throw new Error('what was written is not there');
      return added;
    },
    /** Many at once; whole or not at all. Throws where the disk refuses. */
    addViews(views: readonly NewMessage[]): void {
      unsynced(() => inOneCommit(() => views.forEach(put)));
    },
    /** The last submission of a day that says the same. Throws where the disk refuses. */
    same: ({ kind, payload, createdAt }: NewMessage): Message | null =>
      one(same, digests.of(kind, payload).digest, createdAt - DAY_MS),
    next(kind: OutboxKind, inFlight: ReadonlySet<Message>, suspect?: Message): Message | null {
      const ids = JSON.stringify(idsOf(inFlight));
      return kind === 'view' ? one(waitingView, ids) : one(waiting, kind, ids, Number(suspect?.id ?? 0));
    },
    /** Pending submissions of the same sender that came before it, at most `most`. */
    earlierOf: ({ sender, id }: Pick<Message, 'sender' | 'id'>, most: number): Message[] =>
      sender === null ? [] : earlier.all(sender, Number(id), most).map(messageOf),
    /** Pending submissions of whoever has sent this one. */
    hasOfSender: ({ kind, payload }: NewMessage): boolean =>
      earlier.all(digests.of(kind, payload).sender, Number.MAX_SAFE_INTEGER, 1).length > 0,
    /** The first that are pending, at most `most`. */
    pending: (kind: OutboxKind, most: number): Message[] => oldestOf.all(kind, most).map(messageOf),
    get: (id: number) => one(byId, id),
    stateOf: ({ id }: Message): OutboxState => one(byId, Number(id))?.state ?? 'delivered',
    /** Erases the payload of what has arrived; a view that has arrived goes altogether. */
    record({ id, kind }: Message, { state, uncertain, error }: AttemptRecord): void {
      const record = () => attempted.run(state, uncertain ? 1 : 0, error, state, id);
      if (kind !== 'view') record();
      else unsynced(() => (state === 'delivered' ? removed.run(id) : record()));
    },
    setAside({ id, kind }: Message): void {
      aside.run(kind, id);
    },
    remove(messages: readonly Message[]): void {
      inOneCommit(() => {
        for (const { id } of messages) removed.run(id);
      });
    },
    /** Submissions first, those that were refused before those that are pending; at most 500. */
    list(): OutboxEntry[] {
      const rows: z.infer<typeof ListedRow>[] = [];
      for (const kind of OUTBOX_KINDS)
        for (const statement of [listedRefused, listed])
          rows.push(...z.array(ListedRow).parse(statement.all(kind, LISTED - rows.length)));
      return rows.map(({ last_error, created_at, ...row }) => ({
        ...row,
        lastError: last_error,
        createdAt: new Date(created_at).toISOString(),
      }));
    },
    counts: () => z.array(Count).parse(counted.all()),
    /** When the oldest that is pending was put in (wall-clock ms); null where none is. */
    oldest: () => z.object({ at: z.number().nullable() }).parse(oldest.get()).at,
    retry: (id: number) => again.run(id).changes > 0,
    /** Deletes some settled messages from before `time` (wall-clock ms) and some refused views but the last `refusedViews`; false when none are left. */
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
  } satisfies MessageStore & Record<string, unknown>;
  return store;
}
