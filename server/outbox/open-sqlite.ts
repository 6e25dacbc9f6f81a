import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '#server/storage/files.ts';

/** Why the outbox of a folder cannot be used by this process. Its message is all that an operator needs. */
export class OutboxUnusable extends Error {
  override name = 'OutboxUnusable';
}

/** Of the file, by which an earlier version refuses it. */
const SCHEMA_VERSION = 2;
const FILE = 'messages.sqlite';
const LOCK_FILE = 'outbox.lock';
/** Of the version before, which kept sent messages too. */
const EARLIER_FILE = 'outbox.sqlite';
/** SQLite's result code of a file that another connection has locked (SQLITE_BUSY). */
const BUSY = 5;

/** Pages of the write-ahead log (1 MiB) after which a commit copies them into the file. */
const CHECKPOINT_PAGES = 256;

const SETTINGS = `
  PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;
  -- In memory: nothing personal is written elsewhere, and elsewhere may be read-only.
  PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`;

/** The counts by kind and state are kept by triggers: counting a hundred thousand rows would hold up readers. */
const SCHEMA = `
  BEGIN;
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    payload TEXT NOT NULL,
    failures INTEGER NOT NULL,
    last_error TEXT,
    created_at INTEGER NOT NULL,
    -- When it is due while it is pending, else when it was rejected.
    due_at INTEGER NOT NULL,
    traceparent TEXT
  );
  CREATE INDEX IF NOT EXISTS messages_due ON messages (state, kind, due_at);
  CREATE INDEX IF NOT EXISTS messages_oldest ON messages (state, created_at);
  CREATE TABLE counts (kind TEXT, state TEXT, n INTEGER, PRIMARY KEY (kind, state));
  INSERT INTO counts SELECT kind, state, COUNT(*) FROM messages GROUP BY kind, state;
  CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO counts VALUES (NEW.kind, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = OLD.kind AND state = OLD.state;
  END;
  CREATE TRIGGER message_changed AFTER UPDATE OF state ON messages WHEN NEW.state <> OLD.state BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = OLD.kind AND state = OLD.state;
    INSERT INTO counts VALUES (NEW.kind, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  PRAGMA user_version = ${SCHEMA_VERSION};
  COMMIT;`;

/**
 * Locks a folder for this process and opens its file. Throws `OutboxUnusable` where another process has it, where it is of
 * another version, and where it cannot be opened.
 */
export function openFolder(dir: string): { db: DatabaseSync; lock: DatabaseSync } {
  let lock: DatabaseSync | null = null;
  try {
    createFolder(dir);
    lock = lockFolder(dir);
    refuseEarlierMessages(join(dir, EARLIER_FILE));
    return { db: openFile(dir), lock };
  } catch (error) {
    lock?.close();
    if (error instanceof OutboxUnusable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new OutboxUnusable(`the outbox in ${dir} cannot be opened: ${why}`, { cause: error });
  }
}

/**
 * Locks a folder until the returned database is closed or the process ends in any way: an open exclusive transaction on a
 * file of its own, which holds nothing. Others can copy the messages meanwhile.
 */
function lockFolder(dir: string): DatabaseSync {
  const db = openPrivate(join(dir, LOCK_FILE));
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
    return db;
  } catch (error) {
    db.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error;
    throw new OutboxUnusable(
      `another server works on ${dir}: two on one DATA_DIR would deliver everything twice`,
    );
  }
}

/** Opens a file that its owner alone can read. SQLite gives the files beside it the same mode. */
function openPrivate(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  chmodSync(path, 0o600);
  return db;
}

/** Opens the file of a folder that this process has locked. Throws the disk's error, or `OutboxUnusable`. */
export function openFile(dir: string): DatabaseSync {
  const path = join(dir, FILE);
  const db = openPrivate(path);
  try {
    db.exec(SETTINGS);
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (version > SCHEMA_VERSION)
      throw new OutboxUnusable(`${path} is of a newer version: start that one, or another DATA_DIR`);
    if (version < SCHEMA_VERSION) db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws `OutboxUnusable` where the version before has left messages. */
function refuseEarlierMessages(path: string): void {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path);
  try {
    const counted = db.prepare(`SELECT COUNT(*) AS n FROM items WHERE state IN ('waiting', 'refused')`).get();
    const n = Number(counted?.['n'] ?? 0);
    if (n > 0)
      throw new OutboxUnusable(
        `${path} holds ${n} messages of the version before: run that one until its GET /outbox is empty, then this one`,
      );
  } finally {
    db.close();
  }
}
