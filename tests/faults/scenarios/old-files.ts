import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { terminate } from '../processes/server-process.ts';
import { eventually, startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

const ARRIVAL_MS = 60_000;

/** Tests a start with a snapshot and an outbox of an older version. */
export async function drillOldFiles(report: Report): Promise<void> {
  const site = await startDrillSite();
  try {
    await terminate(site.server());
    await mkdir(site.dir, { recursive: true });
    await writeOldSnapshot(join(site.dir, 'content-cache.snapshot'));
    writeOldOutbox(join(site.dir, 'outbox.sqlite'));
    const server = await site.start();
    const ignored = server.log.some(
      (line) => line.includes('content-cache.snapshot') && line.includes('snapshot was ignored'),
    );
    const { status, text: page } = await site.get('/topic/of-an-old-snapshot');
    const arrived = await eventually(
      async () => (await site.demoCms.received('subscription')).includes('old@example.com'),
      ARRIVAL_MS,
    );
    const text = `the snapshot ${ignored ? 'is ignored' : 'is used'}, the outbox ${arrived ? 'delivered' : 'not delivered'}; a page: ${status}`;
    report.seen('oldFiles', 'process', text, ignored && arrived && !page.includes('An old headline'));
  } finally {
    await site.close();
  }
}

async function writeOldSnapshot(path: string): Promise<void> {
  const header = { format: 1, version: '0', savedAt: Date.now() };
  const value = { posts: [{ title: 'An old headline' }] };
  const entry = {
    key: 'topic/of-an-old-snapshot',
    resource: 'topic',
    tags: [],
    value,
    ageMs: 0,
    jitter: 1,
    expired: false,
  };
  await writeFile(path, gzipSync([header, entry].map((line) => JSON.stringify(line)).join('\n')));
}

/** The outbox's schema, version 1. */
function writeOldOutbox(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`DROP TABLE IF EXISTS items; DROP TABLE IF EXISTS secrets; DROP TABLE IF EXISTS counts;
    CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, state TEXT NOT NULL, payload TEXT,
      digest TEXT, idempotency_key TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
      uncertain INTEGER NOT NULL DEFAULT 0, last_error TEXT, created_at INTEGER NOT NULL);
    CREATE INDEX items_waiting ON items (kind, id) WHERE state = 'waiting';
    CREATE INDEX items_digest ON items (digest) WHERE digest IS NOT NULL;
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
    INSERT INTO items (kind, state, payload, idempotency_key, created_at)
      VALUES ('subscription', 'waiting', '{"email":"old@example.com"}', 'old-key', 0);
    PRAGMA user_version = 1;`);
  db.close();
}
