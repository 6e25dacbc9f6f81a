import { chmodSync, closeSync, openSync } from 'node:fs';
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

/**
 * Locks a folder for this process, until the returned function is called or the process ends in any way: an open exclusive
 * transaction on a file of its own. Throws `OutboxLocked`.
 */
export function lockFolder(dir: string): () => void {
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
