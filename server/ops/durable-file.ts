import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces a file atomically, readable by its owner alone: a reader, or a process that starts after a crash, sees the old
 * text or the new one. Resolves once the text is on disk (fsync). Rejects where the disk fails; the old file is kept then.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
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
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
