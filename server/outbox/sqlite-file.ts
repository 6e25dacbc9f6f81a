import { chmodSync, closeSync, existsSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from '#server/storage/create-folder.ts';

/** Why the outbox of a folder cannot be used by this process. Its message is all that an operator needs. */
export class OutboxUnusable extends Error {
  override name = 'OutboxUnusable';
}

/** Of the file, by which an earlier version refuses it. */
const SCHEMA_VERSION = 1;
const FILE = 'messages.sqlite';
/** Of the version before, which kept sent messages too. */
const EARLIER_FILE = 'outbox.sqlite';

/** Pages of the write-ahead log (1 MiB) after which a commit copies them into the file. */
const CHECKPOINT_PAGES = 256;

const SETTINGS = `
  -- FULL: with NORMAL a commit is not synced, and a message could be lost with the power.
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
  -- In memory: nothing personal is written elsewhere, and elsewhere may be read-only.
  PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`;

const TABLE = `
  BEGIN;
  CREATE TABLE messages (
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
  CREATE INDEX messages_due ON messages (state, kind, due_at);
  CREATE INDEX messages_oldest ON messages (state, created_at);
  PRAGMA user_version = ${SCHEMA_VERSION};
  COMMIT;`;

/**
 * Locks a folder for this process and opens its file. Throws `OutboxUnusable` where another process has it, where it is of
 * another version, and where it cannot be opened.
 */
export function openFolder(dir: string): { db: DatabaseSync; unlock: () => void } {
  let unlock = () => {};
  try {
    unlock = lockFolder(dir);
    refuseEarlierMessages(dir);
    return { db: openFile(dir), unlock };
  } catch (error) {
    unlock();
    if (error instanceof OutboxUnusable) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new OutboxUnusable(`the outbox in ${dir} cannot be opened: ${why}`, { cause: error });
  }
}

/** Opens the file of a folder that this process has locked. Throws the disk's error, or `OutboxUnusable`. */
export function openFile(dir: string): DatabaseSync {
  createFolder(dir);
  const db = openPrivate(join(dir, FILE));
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    if (version > SCHEMA_VERSION)
      throw new OutboxUnusable(
        `${join(dir, FILE)} is of a newer version: start that one, or another DATA_DIR`,
      );
    db.exec(SETTINGS);
    if (version === 0) db.exec(TABLE);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws `OutboxUnusable` where the version before has left messages. */
function refuseEarlierMessages(dir: string): void {
  const path = join(dir, EARLIER_FILE);
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

/** Opens a database that only its owner can read (0600); SQLite gives its log files the same mode. */
function openPrivate(path: string): DatabaseSync {
  try {
    // `wx` opens no existing file: closing one here would drop the locks that SQLite holds on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    chmodSync(path, 0o600);
  }
  return new DatabaseSync(path);
}

/** SQLite's result codes of a damaged file (SQLITE_CORRUPT, SQLITE_NOTADB). No other process has it locked: that is found first. */
const DAMAGED: readonly unknown[] = [11, 26];

/**
 * Locks a folder for this process, until the returned function is called or the process ends in any way: an open exclusive
 * transaction on a file of its own, which holds nothing and is emptied where it is damaged. Throws `OutboxUnusable`.
 */
function lockFolder(dir: string): () => void {
  createFolder(dir);
  const path = join(dir, 'outbox.lock');
  try {
    return lock(path, dir);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && DAMAGED.includes(error.errcode))) throw error;
    truncateSync(path);
    return lock(path, dir);
  }
}

function lock(path: string, dir: string): () => void {
  const db = openPrivate(path);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
  } catch (error) {
    db.close();
    if (error instanceof Error && /locked|busy/i.test(error.message))
      throw new OutboxUnusable(
        `another server works on ${dir}: two on one DATA_DIR would deliver everything twice`,
      );
    throw error;
  }
  return () => db.close();
}
