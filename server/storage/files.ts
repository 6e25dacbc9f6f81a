import { existsSync, mkdirSync, statSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Nobody but the owner: DATA_DIR holds what readers sent. */
const PRIVATE = 0o700;

/**
 * Creates a folder and its missing parents, by default for their owner alone. Throws where that is not possible. Not by
 * Node's `recursive`, which never returns where the parent exists but reports the new folder as missing, as `/proc` does.
 */
export function createFolder(dir: string, mode = PRIVATE): void {
  const parent = dirname(dir);
  if (!existsSync(parent)) createFolder(parent, mode);
  try {
    mkdirSync(dir, mode);
  } catch (error) {
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Replaces a file atomically, readable by its owner alone: a reader, or a process that starts after a crash, sees the old
 * content or the new one. Creates its folder if it is missing. Resolves once the content is on disk (fsync), unless
 * `isSynced` is false. Rejects where the disk or the content fails; the old file is kept then. To be called by one writer of
 * the file at a time: what one that was killed has left is written over.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer | AsyncIterable<Buffer>,
  { isSynced = true } = {},
): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    createFolder(dirname(path));
    await writeFile(draft, content, { mode: 0o600, flush: isSynced });
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
    // ENOTDIR: its folder would be below a file, of which whoever makes it tells.
    if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code)))
      return null;
    throw error;
  }
}
