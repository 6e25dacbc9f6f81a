import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder } from './create-folder.ts';

/** A draft that was last written this long ago (ms) has no writer any more. A predecessor may still write younger ones. */
const ABANDONED_MS = 60_000;
const DRAFT = /\.[\w-]+\.tmp$/;

/**
 * Replaces a file atomically, readable by its owner alone: a reader, or a process that starts after a crash, sees the old
 * content or the new one. Creates its folder if it is missing. Resolves once the content is on disk (fsync), unless
 * `isSynced` is false. Rejects where the disk or the content fails; the old file is kept then.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer | AsyncIterable<Buffer>,
  { isSynced = true } = {},
): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    createFolder(dirname(path));
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Reads a file; null where there is none. Rejects where it cannot be read. */
export async function readIfExists(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes what killed processes have left of `replaceFile` in a folder. Never rejects. `now`: wall milliseconds. */
export async function removeAbandonedDrafts(dir: string, now: number): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  for (const name of names.filter((one) => DRAFT.test(one))) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => null);
    if (found && Math.abs(now - found.mtimeMs) > ABANDONED_MS)
      await rm(path, { force: true }).catch(() => undefined);
  }
}
