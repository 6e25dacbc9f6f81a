import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';

export const OUTBOX_KINDS = ['subscription', 'contact', 'opt-out', 'view'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** `waiting` to be delivered; `delivered`; `answered` with a no that is an answer; `refused` for good, kept for the operator. */
const STATES = ['waiting', 'delivered', 'answered', 'refused'] as const;
export type OutboxState = (typeof STATES)[number];

const Row = z.object({
  id: z.number(),
  kind: z.enum(OUTBOX_KINDS),
  state: z.enum(STATES),
  /** JSON; null once delivered: personal data is not kept longer than it is needed. */
  payload: z.string().nullable(),
  idempotency_key: z.string(),
  attempts: z.number(),
  /** 1 after an attempt whose outcome is not known. */
  uncertain: z.number(),
  last_error: z.string().nullable(),
  created_at: z.number(),
});
export type OutboxRow = z.infer<typeof Row>;

/** What an attempt leaves behind. */
export interface AttemptRecord {
  state: OutboxState;
  uncertain: boolean;
  error: string | null;
}

/** Another server holds this folder. */
export class OutboxLocked extends Error {
  constructor(dir: string) {
    super(`another server works on ${dir}: two on one DATA_DIR would deliver everything twice`);
    this.name = 'OutboxLocked';
  }
}

const VERSION = 1;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    payload TEXT,
    digest TEXT,
    idempotency_key TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    uncertain INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS items_waiting ON items (kind, id) WHERE state = 'waiting';
  CREATE INDEX IF NOT EXISTS items_digest ON items (digest) WHERE digest IS NOT NULL;
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
  PRAGMA user_version = ${VERSION};
`;

/** The outbox's file: SQLite with a log that is synced at each commit. */
export function openOutboxStore(dir: string) {
  mkdirSync(dir, { recursive: true });
  const unlock = lock(dir);
  const db = openPrivate(join(dir, 'outbox.sqlite'));
  // NORMAL would not sync each commit: an answered submission could be lost with the power.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;');
  db.exec(SCHEMA);

  const insert = db.prepare(
    'INSERT INTO items (kind, state, payload, digest, idempotency_key, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const oldest = db.prepare("SELECT * FROM items WHERE kind = ? AND state = 'waiting' ORDER BY id LIMIT 1");
  const byId = db.prepare('SELECT * FROM items WHERE id = ?');
  const same = db.prepare('SELECT * FROM items WHERE digest = ? AND created_at > ? ORDER BY id DESC LIMIT 1');
  const attempted = db.prepare(
    `UPDATE items SET state = ?, attempts = attempts + 1, uncertain = ?, last_error = ?,
     payload = CASE WHEN ? IN ('delivered', 'answered') THEN NULL ELSE payload END WHERE id = ?`,
  );
  const listed = db.prepare(
    "SELECT * FROM items WHERE state IN ('waiting', 'refused') ORDER BY id LIMIT 500",
  );
  const counted = db.prepare(
    "SELECT kind, state, count(*) AS n, min(created_at) AS oldest FROM items WHERE state IN ('waiting', 'refused') GROUP BY kind, state",
  );
  const again = db.prepare("UPDATE items SET state = 'waiting' WHERE id = ? AND state = 'refused'");
  const removed = db.prepare('DELETE FROM items WHERE id = ?');
  const expired = db.prepare("DELETE FROM items WHERE state IN ('delivered', 'answered') AND created_at < ?");

  function one(statement: StatementSync, ...parameters: (string | number)[]): OutboxRow | null {
    const row = statement.get(...parameters);
    return row === undefined ? null : Row.parse(row);
  }

  return {
    /** A key of this file's own for digests, so that erased personal data cannot be guessed from them. */
    secret(create: () => Buffer): Buffer {
      const known = db.prepare("SELECT value FROM secrets WHERE name = 'digest'").get()?.['value'];
      if (known instanceof Uint8Array) return Buffer.from(known);
      const made = create();
      db.prepare("INSERT INTO secrets (name, value) VALUES ('digest', ?)").run(made);
      return made;
    },
    /** On disk when it returns. Throws when the disk refuses. */
    add(item: {
      kind: OutboxKind;
      payload: string;
      digest: string | null;
      idempotencyKey: string;
      createdAt: number;
    }): number {
      const { lastInsertRowid } = insert.run(
        item.kind,
        'waiting',
        item.payload,
        item.digest,
        item.idempotencyKey,
        item.createdAt,
      );
      return Number(lastInsertRowid);
    },
    /** Many at once, with one sync. */
    addAll(
      items: readonly { kind: OutboxKind; payload: string; idempotencyKey: string; createdAt: number }[],
    ): void {
      db.exec('BEGIN');
      try {
        for (const item of items)
          insert.run(item.kind, 'waiting', item.payload, null, item.idempotencyKey, item.createdAt);
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
    oldestWaiting: (kind: OutboxKind) => one(oldest, kind),
    get: (id: number) => one(byId, id),
    sameSince: (digest: string, since: number) => one(same, digest, since),
    recordAttempt(id: number, { state, uncertain, error }: AttemptRecord): void {
      attempted.run(state, uncertain ? 1 : 0, error, state, id);
    },
    remove(id: number): void {
      removed.run(id);
    },
    list: () => listed.all().map((row) => Row.parse(row)),
    counts: () =>
      z
        .array(
          z.object({ kind: z.enum(OUTBOX_KINDS), state: z.enum(STATES), n: z.number(), oldest: z.number() }),
        )
        .parse(counted.all()),
    retry: (id: number) => again.run(id).changes > 0,
    forgetBefore(time: number): void {
      expired.run(time);
    },
    close(): void {
      db.close();
      unlock();
    },
  };
}

export type OutboxStore = ReturnType<typeof openOutboxStore>;

/** Readable by its owner alone; SQLite gives its log files the same mode. */
function openPrivate(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  return new DatabaseSync(path);
}

/** Held until the process ends, however it ends: an open exclusive transaction on a file of its own. */
function lock(dir: string): () => void {
  const db = openPrivate(join(dir, 'outbox.lock'));
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
  } catch (error) {
    db.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new OutboxLocked(dir);
    throw error;
  }
  return () => db.close();
}
