import { chmodSync, closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another server holds the lock of a folder. */
export class OutboxLocked extends Error {
  constructor(dir: string) {
    super(`another server works on ${dir}: two on one DATA_DIR would deliver everything twice`);
    this.name = 'OutboxLocked';
  }
}

/** Opens a database that only its owner can read (0600); SQLite gives its log files the same mode. */
export function openPrivate(path: string): DatabaseSync {
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
 * transaction on a file of its own, which holds nothing and is emptied where it is damaged. Throws `OutboxLocked`.
 */
export function lockFolder(dir: string): () => void {
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
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new OutboxLocked(dir);
    throw error;
  }
  return () => db.close();
}
