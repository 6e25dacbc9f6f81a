import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { terminate } from '../processes/server-process.ts';
import { startDrillSite } from '../processes/site-process.ts';
import type { Report } from '../report.ts';

/** Tests a start with a snapshot and an outbox of an older version. */
export async function drillOldFiles(report: Report): Promise<void> {
  const site = await startDrillSite();
  try {
    await terminate(site.server());
    await mkdir(site.dir, { recursive: true });
    await writeOldSnapshot(join(site.dir, 'content-cache.snapshot'));
    writeOldOutbox(join(site.dir, 'outbox.sqlite'));
    const stopped = await startAnyhow(site.start);
    await rm(join(site.dir, 'outbox.sqlite'));
    const server = await site.start();
    const ignored = server.log.some(
      (line) => line.includes('content-cache.snapshot') && line.includes('snapshot was ignored'),
    );
    const { status, text: page } = await site.get('/topic/of-an-old-snapshot');
    const text = `the start ${stopped ? 'stops' : 'goes on'} with an outbox that holds a message; the snapshot ${ignored ? 'is ignored' : 'is used'}; a page: ${status}`;
    report.seen('oldFiles', 'process', text, ignored && stopped && !page.includes('An old headline'));
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
    softPurged: false,
  };
  await writeFile(path, gzipSync([header, entry].map((line) => JSON.stringify(line)).join('\n')));
}

/** Whether a start fails. */
async function startAnyhow(start: () => Promise<unknown>): Promise<boolean> {
  return start().then(
    () => false,
    (error: unknown) => String(error).includes('holds 1 messages of the version before'),
  );
}

/** The outbox of the version before, as far as a start looks at it. */
function writeOldOutbox(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`CREATE TABLE items (state TEXT NOT NULL); INSERT INTO items VALUES ('waiting');`);
  db.close();
}
