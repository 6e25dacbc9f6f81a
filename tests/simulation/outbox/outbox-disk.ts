import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The outbox's database, and the write-ahead log with its last commits. */
const FILES = ['outbox.sqlite', 'outbox.sqlite-wal'];

const rowSchema = z.object({
  id: z.number(),
  kind: z.string(),
  state: z.string(),
  payload: z.string().trim().nullable(),
  idempotency_key: z.string(),
  attempts: z.number(),
  sender: z.string().nullable(),
});
export type DiskRow = z.infer<typeof rowSchema>;

/** Creates a temporary folder. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'outbox-model-'));
}

/** Copies what a process killed now would leave on disk, and returns the new folder. */
export function copyDisk(dir: string): string {
  const target = newFolder();
  for (const file of FILES) if (existsSync(join(dir, file))) cpSync(join(dir, file), join(target, file));
  return target;
}

/** Opens the outbox's database read-only: it shows what is committed. */
export function openDisk(dir: string) {
  const db = new DatabaseSync(join(dir, 'outbox.sqlite'), { readOnly: true });
  const all = db.prepare('SELECT * FROM items ORDER BY id');

  return {
    rows: (): DiskRow[] => all.all().map((row) => rowSchema.parse(row)),
    close: () => db.close(),
  };
}

export type Disk = ReturnType<typeof openDisk>;

/** Makes every write to the database fail, as on a full disk, until the returned function is called. */
export function refuseWrites(dir: string): () => void {
  const other = new DatabaseSync(join(dir, 'outbox.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

/** Removes the folder of a closed outbox. */
export function removeFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}
