import type { DatabaseSync } from 'node:sqlite';

/** A newer version wrote this file: this one would not deliver all of it. */
export class OutboxTooNew extends Error {
  constructor(version: number) {
    super(`the outbox is of version ${version}, this server knows up to ${VERSION}`);
    this.name = 'OutboxTooNew';
  }
}

const VERSION = 5;

const TABLES = `
  CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    payload TEXT,
    digest TEXT,
    idempotency_key TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    uncertain INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at INTEGER NOT NULL,
    aside INTEGER NOT NULL DEFAULT 0,
    sender TEXT,
    traceparent TEXT
  );
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
  -- Kept by triggers, in the transaction of each change: nothing is counted by a scan.
  CREATE TABLE counts (kind TEXT, state TEXT, n INTEGER NOT NULL, PRIMARY KEY (kind, state)) WITHOUT ROWID;
  CREATE TRIGGER items_added AFTER INSERT ON items BEGIN
    INSERT INTO counts VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER items_removed AFTER DELETE ON items BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = old.kind AND state = old.state;
  END;
  CREATE TRIGGER items_moved AFTER UPDATE OF state ON items WHEN old.state <> new.state BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = old.kind AND state = old.state;
    INSERT INTO counts VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;`;

/** Versions 1 to 4 have these columns, and did not know the sender: their submissions go in the order in which they came. */
const FROM_EARLIER = `
  INSERT INTO items (id, kind, state, payload, digest, idempotency_key, attempts, uncertain, last_error, created_at, sender)
    SELECT id, kind, state, CASE WHEN kind = 'view' THEN payload ELSE printf('%4096s', '') || trim(payload) END, digest,
      idempotency_key, attempts, uncertain, last_error, created_at,
      CASE WHEN kind <> 'view' AND state IN ('waiting', 'refused') THEN '' END
    FROM earlier;
  DROP TABLE earlier;`;

const INDEXES = `
  CREATE INDEX items_waiting ON items (kind, aside, id) WHERE state = 'waiting';
  CREATE INDEX items_refused ON items (kind, id) WHERE state = 'refused';
  CREATE INDEX items_digest ON items (digest) WHERE digest IS NOT NULL;
  CREATE INDEX items_sender ON items (sender, id) WHERE state = 'waiting' AND sender IS NOT NULL;
  CREATE INDEX items_oldest ON items (created_at) WHERE state = 'waiting';
  CREATE INDEX items_settled ON items (created_at) WHERE state IN ('delivered', 'answered');`;

/** Makes the tables of a new file, or rewrites those of an earlier version, whole or not at all. Throws `OutboxTooNew`. */
export function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > VERSION) throw new OutboxTooNew(version);
  if (version === VERSION) {
    addTraceparent(db);
    return;
  }
  const steps = version === 0 ? [TABLES] : ['ALTER TABLE items RENAME TO earlier;', TABLES, FROM_EARLIER];
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of [...steps, INDEXES, `PRAGMA user_version = ${VERSION}`]) db.exec(step);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  // Earlier versions left personal data in free pages.
  if (version > 0) db.exec('VACUUM');
}

/** A column that a server without it ignores: the version stays, so that an earlier one still takes the file. */
function addTraceparent(db: DatabaseSync): void {
  const columns = db.prepare('PRAGMA table_info(items)').all();
  if (!columns.some(({ name }) => name === 'traceparent'))
    db.exec('ALTER TABLE items ADD COLUMN traceparent TEXT');
}
