import type { DatabaseSync } from 'node:sqlite';

/** A file that a newer version has written: this one would not deliver all of it. */
export class OutboxTooNew extends Error {
  constructor(version: number) {
    super(`the outbox is of version ${version}, this server knows up to ${STEPS.length}`);
    this.name = 'OutboxTooNew';
  }
}

/** Each step takes a file one version further; a step that was released is never changed. */
const STEPS = [
  `CREATE TABLE items (
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
  CREATE INDEX items_waiting ON items (kind, id) WHERE state = 'waiting';
  CREATE INDEX items_digest ON items (digest) WHERE digest IS NOT NULL;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);`,

  `ALTER TABLE items ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
  DROP INDEX items_waiting;
  CREATE INDEX items_waiting ON items (kind, aside, id) WHERE state = 'waiting';
  CREATE INDEX items_refused ON items (kind, id) WHERE state = 'refused';`,

  "CREATE INDEX items_key ON items (idempotency_key) WHERE kind <> 'view';",

  "UPDATE items SET payload = printf('%4096s', '') || payload WHERE kind <> 'view' AND payload IS NOT NULL;",

  // Counts are kept as they change, in the same transaction: nothing is counted by a scan.
  `ALTER TABLE items ADD COLUMN sender TEXT;
  -- Of what an earlier version has left, who sent it is not known: it goes in the order in which it came.
  UPDATE items SET sender = '' WHERE kind <> 'view' AND state IN ('waiting', 'refused');
  CREATE INDEX items_sender ON items (sender, id) WHERE state = 'waiting' AND sender IS NOT NULL;
  CREATE INDEX items_oldest ON items (created_at) WHERE state = 'waiting';
  CREATE INDEX items_settled ON items (created_at) WHERE state IN ('delivered', 'answered');
  CREATE TABLE counts (kind TEXT, state TEXT, n INTEGER NOT NULL, PRIMARY KEY (kind, state)) WITHOUT ROWID;
  INSERT INTO counts SELECT kind, state, count(*) FROM items GROUP BY kind, state;
  CREATE TRIGGER items_added AFTER INSERT ON items BEGIN
    INSERT INTO counts VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER items_removed AFTER DELETE ON items BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = old.kind AND state = old.state;
  END;
  CREATE TRIGGER items_moved AFTER UPDATE OF state ON items WHEN old.state <> new.state BEGIN
    UPDATE counts SET n = n - 1 WHERE kind = old.kind AND state = old.state;
    INSERT INTO counts VALUES (new.kind, new.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;`,
];

/** Brings a file of any earlier version, or an empty one, to this one, whole or not at all. Throws `OutboxTooNew`. */
export function migrate(db: DatabaseSync): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > STEPS.length) throw new OutboxTooNew(version);
  if (version === STEPS.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of STEPS.slice(version)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  // What earlier versions left behind where rows stood.
  if (version > 0) db.exec('VACUUM');
}
