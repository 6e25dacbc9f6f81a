import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** The outbox's file, and the log in which its last commits stand. */
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

/** A new folder. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'outbox-world-'));
}

/** What a process that is killed now leaves behind, in a folder of its own. The old one is left alone. */
export function leftBehind(dir: string): string {
  const copy = newFolder();
  for (const file of FILES) if (existsSync(join(dir, file))) cpSync(join(dir, file), join(copy, file));
  return copy;
}

/** Looks at the file beside the outbox that works on it: what is seen is what is committed. */
export function lookInto(dir: string) {
  const db = new DatabaseSync(join(dir, 'outbox.sqlite'), { readOnly: true });
  const all = db.prepare('SELECT * FROM items ORDER BY id');

  return {
    rows: (): DiskRow[] => all.all().map((row) => rowSchema.parse(row)),
    close: () => db.close(),
  };
}

export type Disk = ReturnType<typeof lookInto>;

/** From now on every write to the file fails, as on a full disk, until what it answers is called. */
export function refuseWrites(dir: string): () => void {
  const other = new DatabaseSync(join(dir, 'outbox.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

/** The folder of an outbox that is closed. */
export function removeFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}
